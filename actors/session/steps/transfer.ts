/** A session out and in again as one value. */
import type { ControlReplies, ExportSession, ImportSession } from '../../../src/domain/control-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { documentChecksum, liveDocumentOf, type SessionDocument } from '../document.js'
import { readDocument } from '../document-reader.js'
import { applyDocument } from '../restore.js'
import { liveCount } from '../views.js'
import { refuseHeavyDocument } from '../weight.js'
import type { Work } from '../work.js'

/** The session as it is now; later turns do not change what was handed out. */
export function exportSession({ state, now }: Work, _: ExportSession): ControlReplies['session.export'] {
  return { document: liveDocumentOf(state, now) }
}

/** Replaces the whole session by an export. Refused with `malformed_payload`, and unchanged, unless it is one of the same model and dimension. */
export function importSession(work: Work, command: ImportSession): ControlReplies['session.import'] {
  const { state, journal, services, now, room } = work
  const document = readDocument(command.stateDict, services.memoriesMax)
  refuseForeign(document, state.head.settings)
  if (room !== undefined) refuseHeavyDocument(room, document)
  journal.clear()
  applyDocument(work, document)
  return { imported: true, totalMemories: liveCount(state, now), checksum: documentChecksum(document) }
}

/** Vectors of two models, or of two widths, never mix. */
export function refuseForeign(document: SessionDocument, settings: { readonly modelName: string; readonly dimension: number }): void {
  const own = document.head.settings
  if (own.dimension !== settings.dimension) {
    throw new DomainError('malformed_payload', `Malformed session export: its dimension is ${String(own.dimension)}, not ${String(settings.dimension)}`)
  }
  if (own.modelName !== settings.modelName) throw new DomainError('malformed_payload', 'Malformed session export: it is of another embedding model')
}
