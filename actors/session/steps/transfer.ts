/** Export and import of a session. */
import type { ControlReplies, ExportSession, ImportSession } from '../../../src/domain/commands/control-commands.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { minus } from '../../../src/domain/fairness/weight.js'
import { liveDocumentOf } from '../record/document.js'
import { replaceState } from '../record/restore.js'
import { liveCount } from '../record/views.js'
import { needed, type Work } from '../record/work.js'

/** Returns the session as it is now. Later turns do not change the returned document. */
export function* exportSession({ state, now }: Work, _: ExportSession): Pieces<ControlReplies['session.export']> {
  return { document: yield* liveDocumentOf(state, now) }
}

/** Replaces the whole session by an export that was read and restored aside in the preparation. */
export function* importSession(work: Work, _: ImportSession): Pieces<ControlReplies['session.import']> {
  const { state, journal, prepared, now, room } = work
  const imported = needed(prepared.imported)
  room.admit(minus(imported.weight, room.replaced))
  journal.clear()
  yield* replaceState(work, imported)
  return { imported: true, totalMemories: liveCount(state, now), checksum: imported.checksum }
}
