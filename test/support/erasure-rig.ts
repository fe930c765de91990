/** An erasure of one user, over sessions with scripted answers. */
import type { Ask } from '../../actors/asking/ask.js'
import { createErasure } from '../../actors/subject/erasure.js'
import type { ActorKind, Address } from '../../src/domain/address.js'
import type { Erased } from '../../src/domain/commands/erasure.js'
import { DomainError, type ErrorCode } from '../../src/domain/errors.js'
import { createManualClock } from './manual-clock.js'

export const NOTHING: Erased = { erasedMemories: 0, isAffected: false }

type Answer = Erased | ErrorCode | Error

/** Sessions that give one scripted answer each time they are asked, and none afterwards. */
export function erasureRig(
  sessions: Readonly<Record<string, readonly Answer[]>>,
  { purge = (): Promise<void> => Promise.resolve(), missing = 0, kinds = ['session'] as readonly ActorKind[] } = {}
) {
  const clock = createManualClock()
  const asked: string[] = []
  const askedKinds = new Set<ActorKind>()
  const requestIds = new Set<string>()
  const repetitions: boolean[] = []
  const deadlines = new Set<number>()
  const forgotten: string[] = []
  const ask = (async (
    address: Address,
    command: { readonly type: string; readonly userId: string },
    options: { readonly requestId: string; readonly isRepeated: boolean; readonly deadlineMs: number }
  ) => {
    const times = asked.filter((id) => id === address.id).length
    asked.push(address.id)
    askedKinds.add(address.kind)
    requestIds.add(options.requestId)
    repetitions.push(options.isRepeated)
    deadlines.add(options.deadlineMs)
    if (!/^(alice|eve) user\.erase (ann|bob)$/.test(`${address.subject} ${command.type} ${command.userId}`))
      throw new Error('asked for something else')
    const answer = sessions[address.id]?.[times] ?? NOTHING
    if (answer instanceof Error) throw answer
    if (typeof answer === 'string') throw new DomainError(answer, answer)
    return answer
  }) as Ask
  const eraseUser = createErasure({
    ask,
    clock,
    caches: [{ forget: (subject) => void forgotten.push(subject) }],
    peers: {
      async askAll(question) {
        if (question.type === 'texts.forget') forgotten.push(`${question.subject ?? 'all'} on other nodes`)
        return { answers: [], missing }
      }
    },
    storage: {
      async list({ kind, after = '', limit }) {
        if (!kinds.includes(kind)) return []
        return Object.keys(sessions)
          .filter((id) => id > after)
          .sort()
          .slice(0, limit)
      },
      purge
    }
  })
  return {
    clock,
    asked,
    askedKinds,
    requestIds,
    repetitions,
    deadlines,
    /** Users whose texts the caches were told to forget, in order. */
    forgotten,
    erase: (userId = 'ann', subject = 'alice') => eraseUser(subject, userId, { requestId: 'q' })
  }
}

export const erased = (erasedMemories: number): Erased => ({ erasedMemories, isAffected: true })

/** Resolves in the next iteration of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
