/** Where a model's files come from: a hub, or a folder. */
import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'

export interface SourceFile {
  /** As below the model's directory: `onnx/model.onnx`. */
  readonly name: string
  readonly bytes: number
  /** What its content has to be; null where the source does not say. */
  readonly checksum: Checksum | null
  /**
   * The content from byte `start`; `start` in the result is 0 where the source cannot begin elsewhere. Throws SourceError.
   */
  read(start: number, signal: AbortSignal): Promise<{ readonly start: number; readonly body: Readable }>
}

export interface ModelSource {
  /** These files of the model, in this order. Throws SourceError. */
  find(names: readonly string[], signal: AbortSignal): Promise<SourceFile[]>
}

/** `git`: SHA-1 of the file as a blob of git, which hubs give for small files. */
export type Checksum = Readonly<{ algorithm: 'sha256' | 'git'; hex: string }>

/** The source cannot give what was asked. The message is for the reader. */
export class SourceError extends Error {
  /** Asking again may help: a connection that was cut, a server that is busy. */
  readonly isPassing: boolean

  constructor(message: string, options: { readonly isPassing: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'SourceError'
    this.isPassing = options.isPassing
  }
}

/** Name of the file that lists checksums, as `sha256sum` writes it. */
export const CHECKSUM_LIST = 'SHA256SUMS'

/** Digest by name of what `sha256sum` wrote. Lines of another form are left out. */
export function readChecksumList(text: string): ReadonlyMap<string, Checksum> {
  const found = new Map<string, Checksum>()
  for (const line of text.split('\n')) {
    const [, hex, name] = /^([0-9a-f]{64}) [ *](?:\.\/)?(\S.*?)\r?$/.exec(line) ?? []
    if (hex !== undefined && name !== undefined) found.set(name, { algorithm: 'sha256', hex })
  }
  return found
}

/** A hash that is fed the whole content of a file of `bytes`. */
export function startChecksum(algorithm: Checksum['algorithm'], bytes: number): Hash {
  return algorithm === 'sha256' ? createHash('sha256') : createHash('sha1').update(`blob ${String(bytes)}\0`)
}
