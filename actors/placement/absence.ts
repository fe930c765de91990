/** Verifies that a node's process has ended, as opposed to being slow or reconnecting. */
import { hasCode, hasSucceeded } from '../../src/domain/errors.js'
import type { NodeName } from '../../src/domain/nodes/membership.js'
import type { Clock, NodeBus } from '../../src/ports.js'
import { questionsTopic } from './topics.js'

/** Milliseconds before an unreachable node is asked again, and for its answer: a client reconnects in less time. */
const SECOND_TRY_MS = 250
const ANSWER_MS_MAX = 1_000

interface AbsenceOptions {
  readonly bus: Pick<NodeBus, 'request' | 'check'>
  readonly clock: Clock
  /** Called when the node's process has ended. Never called while this node is cut off itself. */
  readonly confirmed: (name: NodeName) => void
}

/** Returns a function that checks an incarnation. Calls during a check of the same incarnation are no-ops. */
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

/** Whether the broker reports no subscriber for that incarnation's topic, and answers both before and after. */
async function isNobodyThere(bus: AbsenceOptions['bus'], name: NodeName): Promise<boolean> {
  if (!(await hasSucceeded(bus.check()))) return false
  try {
    await bus.request(questionsTopic(name), { type: 'node.ping' }, { deadlineMs: ANSWER_MS_MAX })
    return false
  } catch (error) {
    if (!hasCode(error, 'unreachable')) return false
  }
  return hasSucceeded(bus.check())
}
