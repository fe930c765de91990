/** Runs the step of a session's command, and collects what has to be written and sent. */
import type { SessionCommand, SessionReply } from '../../src/domain/commands/session-commands.js'
import type { Pieces } from '../../src/domain/pieces.js'
import type { StepMeta, StepResult } from '../behaviour/behaviour.js'
import { refuseWhenOutboxFull } from '../messaging/outbox.js'
import { definitionOf } from './commands.js'
import { knownTexts, refuseWithoutRoom } from './growth.js'
import { requireCluster } from './record/backing.js'
import { createJournal } from './record/journal.js'
import { writePacks } from './record/packing.js'
import type { SessionState } from './record/state.js'
import { toStoredHead } from './record/stored-head.js'
import { writtenAt } from './record/written-at.js'
import type { Prepared, SessionServices, Work } from './record/work.js'
import { forgetExpired } from './semantic-state/forget.js'
import type { Expirations } from './reminders/expirations.js'
import type { Pendings } from './reminders/pendings.js'
import { traceMoves } from './turn/turn-trace.js'

/** Timetables of work by the clock, which steps update. */
interface Timetables {
  readonly expirations: Expirations
  readonly pendings: Pendings
}

/** Creates the step function for all sessions of a node. */
export function createSteps(services: SessionServices, { expirations, pendings }: Timetables) {
  return function* (state: SessionState, command: SessionCommand, prepared: Prepared, meta: StepMeta): Pieces<StepResult<SessionReply>> {
    const { head: before, ties } = state
    const { address, requestId, now, room } = meta
    const { tells, isOfCluster, refuse, step } = definitionOf(command)
    refuse?.(meta)
    if (tells?.(ties) === true) refuseWhenOutboxFull(meta)
    yield* refuseWithoutRoom(room, command, { state, texts: knownTexts(prepared.texts.values(), prepared) })
    if (isOfCluster?.(command) === true) requireCluster(state)
    const work: Work = {
      state,
      journal: createJournal(),
      prepared,
      services,
      requestId,
      now,
      writtenAt: writtenAt(now, before.lastActiveAt),
      isFresh: meta.isFresh,
      room
    }
    const reply = yield* step(work, command)
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
