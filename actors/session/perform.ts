/** Steps of a session, one per command: runs it, and collects what has to be written and sent. */
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type { SweepSession } from '../../src/domain/commands/control-commands.js'
import type { CreateSession, DeleteSession, SessionCommand, SessionReply } from '../../src/domain/commands/session-commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { atOnce, type Pieces } from '../../src/domain/pieces.js'
import type { StepMeta, StepResult } from '../behaviour/behaviour.js'
import { refuseWhenOutboxFull } from '../messaging/outbox.js'
import { partsOf, refuseWithoutRoom } from './growth.js'
import { refuseUnlessLeft } from './record/backing.js'
import { createJournal } from './record/journal.js'
import { writePacks } from './record/packing.js'
import type { SessionState } from './record/state.js'
import { toStoredHead } from './record/stored-head.js'
import { writtenAt } from './record/written-at.js'
import type { Prepared, SessionServices, Work } from './record/work.js'
import { forgetExpired } from './semantic-state/forget.js'
import { refuseWhileUntold } from './sharing/sagas.js'
import type { Expirations } from './reminders/expirations.js'
import type { Pendings } from './reminders/pendings.js'
import { readAnchorScore, setAnchor } from './steps/anchor.js'
import { readContext } from './steps/context.js'
import { readDays } from './steps/days.js'
import { checkDuplicate } from './steps/dedup-check.js'
import { embedPending } from './steps/embed.js'
import { listEntities, putEntity, removeEntity } from './steps/entities.js'
import { editMemory } from './steps/edit.js'
import { eraseUser } from './steps/erase.js'
import { collectFindings, learnExchanges, matchExchanges, readFindings, unlearnMemories } from './steps/exchange.js'
import { ingestMemories, injectMemory } from './steps/ingest.js'
import { releaseHeld, setIsolation } from './steps/isolation.js'
import { addMembership, removeMembership } from './steps/membership.js'
import { deleteMemory, listMemories, readMemory } from './steps/memories.js'
import { readMetrics } from './steps/metrics.js'
import { runTurn } from './steps/run.js'
import { screenTexts } from './steps/screen.js'
import { searchMemories } from './steps/search.js'
import { blendState, readState, transferState } from './steps/state.js'
import { storeAnswer } from './steps/store.js'
import { exportSession, importSession } from './steps/transfer.js'
import { clearTriggers, setTrigger } from './steps/trigger.js'
import { probeSession, verifySession } from './steps/verify.js'
import { traceMoves, tracedTurn } from './turn/turn-trace.js'

/** Runs a command to its end, in pieces. A refusal leaves the session unchanged. */
type Step<C extends SessionCommand> = (work: Work, command: C, isFresh: boolean) => Pieces<ReplyOf<C>>

/** Makes the step of a command that takes too little time to be divided. */
function short<C extends SessionCommand>(step: (work: Work, command: C, isFresh: boolean) => ReplyOf<C>): Step<C> {
  return (work, command, isFresh) => atOnce(() => step(work, command, isFresh))
}

const STEPS: { readonly [Type in SessionCommand['type']]: Step<Extract<SessionCommand, { readonly type: Type }>> } = {
  'session.run': (work, command) => tracedTurn(work, runTurn(work, command)),
  'session.store': storeAnswer,
  'session.dedupCheck': checkDuplicate,
  'session.context': readContext,
  'session.search': searchMemories,
  'session.memory': readMemory,
  'session.metrics': readMetrics,
  'session.export': exportSession,
  'session.import': importSession,
  'session.sweep': sweepSession,
  'user.erase': eraseUser,
  'trigger.set': setTrigger,
  'isolation.set': setIsolation,
  'isolation.release': releaseHeld,
  'isolation.screen': screenTexts,
  'memory.inject': injectMemory,
  'memory.ingest': ingestMemories,
  'memory.edit': editMemory,
  'memory.delete': deleteMemory,
  'memory.list': listMemories,
  'entity.list': listEntities,
  'exchange.learn': learnExchanges,
  'exchange.collect': collectFindings,
  'exchange.unlearn': unlearnMemories,
  'exchange.match': matchExchanges,
  'session.create': short(created),
  'session.delete': short(deleted),
  'session.days': short(readDays),
  'session.verify': short(verifySession),
  'session.probe': short(probeSession),
  'session.embed': short(embedPending),
  'trigger.clear': short(clearTriggers),
  'anchor.set': short(setAnchor),
  'anchor.score': short(readAnchorScore),
  'state.read': short(readState),
  'state.blend': short(blendState),
  'state.transfer': short(transferState),
  'membership.add': short(addMembership),
  'membership.remove': short(removeMembership),
  'exchange.read': short(readFindings),
  'entity.put': short(putEntity),
  'entity.remove': short(removeEntity)
}

/** Timetables of work by the clock, which steps update. */
interface Timetables {
  readonly expirations: Expirations
  readonly pendings: Pendings
}

/** Creates the step function for all sessions of a node. */
export function createSteps(services: SessionServices, { expirations, pendings }: Timetables) {
  return function* (
    state: SessionState,
    command: SessionCommand,
    prepared: Prepared,
    meta: StepMeta & { readonly isFresh: boolean }
  ): Pieces<StepResult<SessionReply>> {
    const { head: before, ties } = state
    const { address, requestId, now, room } = meta
    if (tells(state, command)) refuseWhenOutboxFull(meta)
    if (command.type === 'session.delete') refuseWhileUntold(meta)
    const { texts, readings, wordCounts } = prepared
    yield* refuseWithoutRoom(room, { state, command, parts: partsOf({ texts: texts.values(), readings, wordCounts }) })
    const work: Work = {
      state,
      journal: createJournal(),
      prepared,
      services,
      requestId,
      now,
      writtenAt: writtenAt(now, before.lastActiveAt),
      room
    }
    const reply = yield* (STEPS[command.type] as Step<SessionCommand>)(work, command, meta.isFresh)
    traceMoves(work, before)
    pendings.note(address, command.type === 'session.delete' ? 0 : state.pending.size)
    if (command.type === 'session.delete') return { reply, changes: null, isRemoval: true }
    const isOwn = prepared.shared.every(({ hits }) => hits.length === 0)
    // Also where the session itself held nothing of the user: its clusters may have told it something.
    const erases = command.type === 'user.erase' ? 'foreign replies' : undefined
    if (state.head === before && state.ties === ties && work.journal.isEmpty) return { reply, changes: null, erases, isOwn }
    state.revision += 1
    // Interface, extensions, the next sweep. Only after the command, as a refused one must not change anything.
    yield* forgetExpired(work)
    yield* writePacks(work)
    const head = toStoredHead(state)
    expirations.note(address, head.expiresNext)
    const { isErasing, messages } = work.journal
    return { reply, changes: work.journal.changes(head), outbox: messages, erases: isErasing ? 'replies' : erases, isOwn }
  }
}

/** Whether the step may post outbox messages. */
function tells({ ties }: SessionState, { type }: SessionCommand): boolean {
  if (ties.memberships.length === 0 && ties.backing === null) return false
  if (type === 'session.embed') return ties.backing !== null
  return type === 'session.run' || type === 'session.store' || type === 'memory.delete' || type === 'isolation.release'
}

function* sweepSession(work: Work): Pieces<ReplyOf<SweepSession>> {
  yield* forgetExpired(work)
  return { swept: true }
}

function deleted({ state, prepared }: Work, { isLeft }: DeleteSession): ReplyOf<DeleteSession> {
  if (isLeft === true) refuseUnlessLeft(state)
  const joined = state.ties.memberships.find((membership) => !prepared.ended.includes(membership))
  if (joined !== undefined) throw new DomainError('busy', 'The session has joined a cluster while it was being deleted')
  return { deleted: true }
}

function created(work: Work, _: CreateSession, isFresh: boolean): ReplyOf<CreateSession> {
  if (!isFresh) throw new DomainError('already_exists', 'Session already exists')
  return { modelName: work.state.head.settings.modelName }
}
