/** Creation, deletion and the sweep of a session. */
import type { ReplyOf } from '../../../src/domain/commands/commands.js'
import type { SweepSession } from '../../../src/domain/commands/control-commands.js'
import type { CreateSession, DeleteSession } from '../../../src/domain/commands/session-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { refuseUnlessLeft } from '../record/backing.js'
import type { Work } from '../record/work.js'
import { forgetExpired } from '../semantic-state/forget.js'

export function* sweepSession(work: Work): Pieces<ReplyOf<SweepSession>> {
  yield* forgetExpired(work)
  return { swept: true }
}

export function deleted({ state, prepared }: Work, { isLeft }: DeleteSession): ReplyOf<DeleteSession> {
  if (isLeft === true) refuseUnlessLeft(state)
  const joined = state.ties.memberships.find((membership) => !prepared.ended.includes(membership))
  if (joined !== undefined) throw new DomainError('busy', 'The session has joined a cluster while it was being deleted')
  return { deleted: true }
}

export function created({ state, isFresh }: Work, _: CreateSession): ReplyOf<CreateSession> {
  if (!isFresh) throw new DomainError('already_exists', 'Session already exists')
  return { modelName: state.head.settings.modelName }
}
