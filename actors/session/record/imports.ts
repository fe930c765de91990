/** Preparation of imports: reads an export and restores it aside, in pieces, before the step. */
import type { ImportSession } from '../../../src/domain/commands/control-commands.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { minus, type Weight } from '../../../src/domain/fairness/weight.js'
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

/** Export of a command, with its weight. */
interface ReadImport {
  readonly document: SessionDocument
  readonly weight: Weight
}

/** Cache by command: an import that also creates its session is read once for both. */
const reads = new WeakMap<ImportSession, ReadImport>()

/** Reads the export of a command. Throws DomainError `malformed_payload` for anything that an export would not contain. */
export async function readImport(
  { clock, memoriesMax }: ImportOptions,
  subject: string,
  command: ImportSession,
  signal?: AbortSignal
): Promise<ReadImport> {
  const read = reads.get(command) ?? (await processorOf(clock).takePieces(subject, readWeighed(command, memoriesMax), signal))
  reads.set(command, read)
  return read
}

/** Restores the export aside, once there is room for it. Throws `malformed_payload` unless it is of the session's model and dimension. */
export async function prepareImport(
  options: ImportOptions,
  {
    state,
    command,
    signal,
    room
  }: { readonly state: SessionState; readonly command: ImportSession; readonly signal: AbortSignal; readonly room: Room }
): Promise<Imported> {
  const { subject } = state.address
  const { document, weight } = await readImport(options, subject, command, signal)
  refuseForeign(document, state.head.settings)
  await room.reserve(minus(weight, room.replaced))
  room.hold(weight)
  const checksum = await processorOf(options.clock).takePieces(subject, documentChecksum(document), signal)
  const restored = await processorOf(options.clock).takePieces(subject, restoreAside(state.address, document, options), signal)
  return { document, restored, weight, checksum }
}

function* readWeighed(command: ImportSession, memoriesMax: number): Pieces<ReadImport> {
  const document = yield* readDocument(command.stateDict, memoriesMax)
  return { document, weight: yield* documentWeight(document) }
}
