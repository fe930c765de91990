/** One command, one step. */
import { DomainError } from '../../src/domain/errors.js'
import type { CreateSession, ReplyTo, SessionCommand, SessionReply } from '../../src/domain/session-commands.js'
import type { SweepSession } from '../../src/domain/control-commands.js'
import { forgetExpired } from './forget.js'
import { readAnchorScore, setAnchor } from './steps/anchor.js'
import { readContext } from './steps/context.js'
import { collectFindings, learnExchanges, matchExchanges, readFindings, unlearnMemories } from './steps/exchange.js'
import { addMembership, removeMembership } from './steps/membership.js'
import { blendState, readState, transferState } from './steps/state.js'
import { checkDuplicate } from './steps/dedup-check.js'
import { embedPending } from './steps/embed.js'
import { listEntities, putEntity, removeEntity } from './steps/entities.js'
import { ingestMemories, injectMemory } from './steps/ingest.js'
import { releaseHeld, setIsolation } from './steps/isolation.js'
import { deleteMemory, listMemories } from './steps/memories.js'
import { readMemory } from './steps/memory.js'
import { eraseUser } from './steps/erase.js'
import { readMetrics } from './steps/metrics.js'
import { runTurn } from './steps/run.js'
import { screenTexts } from './steps/screen.js'
import { searchMemories } from './steps/search.js'
import { storeAnswer } from './steps/store.js'
import { exportSession, importSession } from './steps/transfer.js'
import { clearTriggers, setTrigger } from './steps/trigger.js'
import { probeSession, verifySession } from './steps/verify.js'
import { tracedTurn } from './turn-trace.js'
import type { Work } from './work.js'

type Steps = { readonly [T in SessionCommand['type']]: (work: Work, command: Extract<SessionCommand, { type: T }>, isFresh: boolean) => ReplyTo<Extract<SessionCommand, { type: T }>> }

const STEPS: Steps = {
  'session.create': created,
  'session.delete': () => ({ deleted: true }),
  'session.run': (work, command) => tracedTurn(work, () => runTurn(work, command)),
  'session.store': storeAnswer,
  'session.dedupCheck': checkDuplicate,
  'session.metrics': readMetrics,
  'session.context': readContext,
  'session.memory': readMemory,
  'session.search': searchMemories,
  'session.export': exportSession,
  'session.import': importSession,
  'session.verify': verifySession,
  'session.probe': probeSession,
  'session.sweep': sweepSession,
  'session.embed': embedPending,
  'user.erase': eraseUser,
  'trigger.set': setTrigger,
  'trigger.clear': clearTriggers,
  'anchor.set': setAnchor,
  'anchor.score': readAnchorScore,
  'isolation.set': setIsolation,
  'isolation.release': releaseHeld,
  'isolation.screen': screenTexts,
  'memory.inject': injectMemory,
  'memory.ingest': ingestMemories,
  'memory.list': listMemories,
  'memory.delete': deleteMemory,
  'state.read': readState,
  'state.blend': blendState,
  'state.transfer': transferState,
  'membership.add': addMembership,
  'membership.remove': removeMembership,
  'exchange.learn': learnExchanges,
  'exchange.collect': collectFindings,
  'exchange.read': readFindings,
  'exchange.unlearn': unlearnMemories,
  'exchange.match': matchExchanges,
  'entity.put': putEntity,
  'entity.list': listEntities,
  'entity.remove': removeEntity,
}

/** Runs the command to its end. Refusals leave the session as it was. */
export function perform(work: Work, command: SessionCommand, isFresh: boolean): SessionReply {
  const step = STEPS[command.type] as (work: Work, command: SessionCommand, isFresh: boolean) => SessionReply
  return step(work, command, isFresh)
}

function sweepSession(work: Work): ReplyTo<SweepSession> {
  forgetExpired(work)
  return { swept: true }
}

function created(work: Work, _: CreateSession, isFresh: boolean): ReplyTo<CreateSession> {
  if (!isFresh) throw new DomainError('already_exists', 'Session already exists')
  return { modelName: work.state.head.settings.modelName }
}
