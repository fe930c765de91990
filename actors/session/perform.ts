/** One command, one step. */
import type { SweepSession } from '../../src/domain/commands/control-commands.js'
import type { CreateSession, ReplyTo, SessionCommand, SessionReply } from '../../src/domain/commands/session-commands.js'
import { DomainError } from '../../src/domain/errors.js'
import type { Pieces } from '../../src/domain/pieces.js'
import type { Work } from './record/work.js'
import { forgetExpired } from './semantic-state/forget.js'
import { readAnchorScore, setAnchor } from './steps/anchor.js'
import { readContext } from './steps/context.js'
import { checkDuplicate } from './steps/dedup-check.js'
import { embedPending } from './steps/embed.js'
import { listEntities, putEntity, removeEntity } from './steps/entities.js'
import { eraseUser } from './steps/erase.js'
import { collectFindings, learnExchanges, matchExchanges, readFindings, unlearnMemories } from './steps/exchange.js'
import { ingestMemories, injectMemory } from './steps/ingest.js'
import { releaseHeld, setIsolation } from './steps/isolation.js'
import { addMembership, removeMembership } from './steps/membership.js'
import { deleteMemory, listMemories } from './steps/memories.js'
import { readMemory } from './steps/memory.js'
import { readMetrics } from './steps/metrics.js'
import { runTurn } from './steps/run.js'
import { screenTexts } from './steps/screen.js'
import { searchMemories } from './steps/search.js'
import { blendState, readState, transferState } from './steps/state.js'
import { storeAnswer } from './steps/store.js'
import { exportSession, importSession } from './steps/transfer.js'
import { clearTriggers, setTrigger } from './steps/trigger.js'
import { probeSession, verifySession } from './steps/verify.js'
import { tracedTurn } from './turn/turn-trace.js'

/** Commands that may take long: their steps are done in pieces. */
type LongType =
  | 'session.run'
  | 'session.store'
  | 'session.dedupCheck'
  | 'session.context'
  | 'session.search'
  | 'session.export'
  | 'session.sweep'
  | 'user.erase'
  | 'isolation.release'
  | 'isolation.screen'
  | 'memory.ingest'
  | 'memory.delete'
  | 'exchange.learn'
  | 'exchange.collect'
  | 'exchange.unlearn'
  | 'exchange.match'

type LongSteps = {
  readonly [T in LongType]: (
    work: Work,
    command: Extract<SessionCommand, { type: T }>
  ) => Pieces<ReplyTo<Extract<SessionCommand, { type: T }>>>
}

type Steps = {
  readonly [T in Exclude<SessionCommand['type'], LongType>]: (
    work: Work,
    command: Extract<SessionCommand, { type: T }>,
    isFresh: boolean
  ) => ReplyTo<Extract<SessionCommand, { type: T }>>
}

const LONG_STEPS: LongSteps = {
  'session.run': (work, command) => tracedTurn(work, runTurn(work, command)),
  'session.store': storeAnswer,
  'session.dedupCheck': checkDuplicate,
  'session.context': readContext,
  'session.search': searchMemories,
  'session.export': exportSession,
  'session.sweep': sweepSession,
  'user.erase': eraseUser,
  'isolation.release': releaseHeld,
  'isolation.screen': screenTexts,
  'memory.ingest': ingestMemories,
  'memory.delete': deleteMemory,
  'exchange.learn': learnExchanges,
  'exchange.collect': collectFindings,
  'exchange.unlearn': unlearnMemories,
  'exchange.match': matchExchanges
}

const STEPS: Steps = {
  'session.create': created,
  'session.delete': () => ({ deleted: true }),
  'session.metrics': readMetrics,
  'session.memory': readMemory,
  'session.import': importSession,
  'session.verify': verifySession,
  'session.probe': probeSession,
  'session.embed': embedPending,
  'trigger.set': setTrigger,
  'trigger.clear': clearTriggers,
  'anchor.set': setAnchor,
  'anchor.score': readAnchorScore,
  'isolation.set': setIsolation,
  'memory.inject': injectMemory,
  'memory.list': listMemories,
  'state.read': readState,
  'state.blend': blendState,
  'state.transfer': transferState,
  'membership.add': addMembership,
  'membership.remove': removeMembership,
  'exchange.read': readFindings,
  'entity.put': putEntity,
  'entity.list': listEntities,
  'entity.remove': removeEntity
}

/** Runs the command to its end. Refusals leave the session as it was. */
export function* perform(work: Work, command: SessionCommand, isFresh: boolean): Pieces<SessionReply> {
  if (isLong(command)) {
    const step = LONG_STEPS[command.type] as (work: Work, command: SessionCommand) => Pieces<SessionReply>
    return yield* step(work, command)
  }
  const step = STEPS[command.type] as (work: Work, command: SessionCommand, isFresh: boolean) => SessionReply
  return step(work, command, isFresh)
}

function isLong(command: SessionCommand): command is Extract<SessionCommand, { type: LongType }> {
  return command.type in LONG_STEPS
}

function* sweepSession(work: Work): Pieces<ReplyTo<SweepSession>> {
  yield* forgetExpired(work)
  return { swept: true }
}

function created(work: Work, _: CreateSession, isFresh: boolean): ReplyTo<CreateSession> {
  if (!isFresh) throw new DomainError('already_exists', 'Session already exists')
  return { modelName: work.state.head.settings.modelName }
}
