/** Sources of a model's files: a hub, or a folder. */
import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'

export interface SourceFile {
  /** Path below the model's directory, such as `onnx/model.onnx`. */
  readonly name: string
  readonly bytes: number
  /** Expected checksum; null when the source does not know it. */
  readonly checksum: Checksum | null
  /** Content from byte `start`. In the result, `start` is 0 if the source cannot resume. Throws SourceError. */
  read(start: number, signal: AbortSignal): Promise<{ readonly start: number; readonly body: Readable }>
}

export interface ModelSource {
  /** The named files of the model, in this order. Throws SourceError. */
  find(names: readonly string[], signal: AbortSignal): Promise<SourceFile[]>
}

/** `git`: SHA-1 of the file as a git blob, which hubs give for small files. */
export type Checksum = Readonly<{ algorithm: 'sha256' | 'git'; hex: string }>

/** The source cannot deliver what was asked for. The message is for people. */
export class SourceError extends Error {
  /** Whether a retry may help: the connection was cut, or the server is busy. */
  readonly isPassing: boolean

  constructor(message: string, options: { readonly isPassing: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'SourceError'
    this.isPassing = options.isPassing
  }
}

/** File that lists checksums, in the format of `sha256sum`. */
export const CHECKSUM_LIST = 'SHA256SUMS'

/** Parses a list in the format of `sha256sum` to checksums by name. Ignores lines of another form. */
export function readChecksumList(text: string): ReadonlyMap<string, Checksum> {
  const found = new Map<string, Checksum>()
  for (const line of text.split('\n')) {
    const [, hex, name] = /^([0-9a-f]{64}) [ *](?:\.\/)?(\S.*?)\r?$/.exec(line) ?? []
    if (hex !== undefined && name !== undefined) found.set(name, { algorithm: 'sha256', hex })
  }
  return found
}

/** Hash to feed with the whole content of a file of `bytes`. */
export function startChecksum(algorithm: Checksum['algorithm'], bytes: number): Hash {
  return algorithm === 'sha256' ? createHash('sha256') : createHash('sha1').update(`blob ${String(bytes)}\0`)
}
