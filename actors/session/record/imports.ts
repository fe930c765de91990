/** Exports that are to be imported: read, and restored aside, in pieces and before the step. */
import type { ImportSession } from '../../../src/domain/commands/control-commands.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { minus, type Weight } from '../../../src/domain/weight.js'
import type { Clock } from '../../../src/ports.js'
import { processorOf } from '../../scheduling/processor.js'
import type { Room } from '../../weight/room.js'
import { readDocument, refuseForeign } from './document-reader.js'
import { documentChecksum, type Imported, type SessionDocument } from './document.js'
import { restoreAside } from './restore.js'
import type { SessionState, StateOptions } from './state.js'
import { documentWeight } from './weight.js'

export interface ImportOptions extends StateOptions {
  readonly clock: Clock
  readonly memoriesMax: number
}

/** Export of a command, and what it weighs. */
export interface ReadImport {
  readonly document: SessionDocument
  readonly weight: Weight
}

/** By command: an import that makes its session is read once for both. */
const known = new WeakMap<ImportSession, ReadImport>()

/** Throws DomainError `malformed_payload` for anything that export would not have written. */
export async function readImport(
  { clock, memoriesMax }: ImportOptions,
  subject: string,
  command: ImportSession,
  signal?: AbortSignal
): Promise<ReadImport> {
  const read = known.get(command) ?? (await processorOf(clock).takePieces(subject, readWeighed(command, memoriesMax), signal))
  known.set(command, read)
  return read
}

/**
 * The export restored aside, once there is room for it. Refused with `malformed_payload` unless it is one of the session's model and
 * dimension.
 */
export async function prepareImport(
  options: ImportOptions,
  {
    state,
    command,
    signal,
    room
  }: { readonly state: SessionState; readonly command: ImportSession; readonly signal: AbortSignal; readonly room: Room | undefined }
): Promise<Imported> {
  const { subject } = state.address
  const { document, weight } = await readImport(options, subject, command, signal)
  refuseForeign(document, state.head.settings)
  await room?.makeWay(minus(weight, room.replaced))
  room?.hold(weight)
  const checksum = await processorOf(options.clock).takePieces(subject, documentChecksum(document), signal)
  const restored = await processorOf(options.clock).takePieces(subject, restoreAside(state.address, document, options), signal)
  return { document, restored, weight, checksum }
}

function* readWeighed(command: ImportSession, memoriesMax: number): Pieces<ReadImport> {
  const document = yield* readDocument(command.stateDict, memoriesMax)
  return { document, weight: yield* documentWeight(document) }
}
