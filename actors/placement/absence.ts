/** Makes sure that nobody is at a node: its process has ended, rather than being slow, or its connection being made anew. */
import { isDomainError } from '../../src/domain/errors.js'
import type { NodeName } from '../../src/domain/membership.js'
import type { Clock, NodeBus } from '../../src/ports.js'
import { questionsTopic } from './topics.js'

/** Milliseconds before a node that nobody was found at is tried again, and for its answer: a client that reconnects takes less. */
const SECOND_TRY_MS = 250
const ANSWER_MS_MAX = 1_000

export interface AbsenceOptions {
  readonly bus: Pick<NodeBus, 'request' | 'check'>
  readonly clock: Clock
  /** Nobody is there. Never said while this node is cut off itself. */
  readonly confirmed: (name: NodeName) => void
}

/** Looks once, for all who ask meanwhile. */
export function createAbsenceCheck({ bus, clock, confirmed }: AbsenceOptions): (name: NodeName) => void {
  const asked = new Set<string>()
  return (name) => {
    if (asked.has(name.incarnation)) return
    asked.add(name.incarnation)
    clock.after(SECOND_TRY_MS, () => {
      void isNobodyThere(bus, name).then((isGone) => {
        asked.delete(name.incarnation)
        if (isGone) confirmed(name)
      })
    })
  }
}

/** Whether the broker knows of nobody who hears that incarnation, and answers before and after it says so. */
async function isNobodyThere(bus: AbsenceOptions['bus'], name: NodeName): Promise<boolean> {
  if (!(await isConnected(bus))) return false
  try {
    await bus.request(questionsTopic(name), { type: 'node.ping' }, { deadlineMs: ANSWER_MS_MAX })
    return false
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'unreachable') return false
  }
  return isConnected(bus)
}

function isConnected(bus: AbsenceOptions['bus']): Promise<boolean> {
  return bus.check().then(
    () => true,
    () => false
  )
}
