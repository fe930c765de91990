/** Lines of a file of any size, each with its first bytes, its position, and the digest of everything before it. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

export interface FileLine {
  /** Position of the line in bytes. */
  readonly offset: number
  /** Length without the line end. */
  readonly bytes: number
  /** The first bytes of the line, at most `keptBytes`. */
  readonly head: Buffer
  /** False for an unfinished line at the end of the file. */
  readonly isWhole: boolean
  /** SHA-256, in hex, of everything before the line. */
  readonly digestBefore: string
}

const NEWLINE = 0x0a

/** Reads the file once, and holds at most `keptBytes` of a line. */
export async function* readLines(path: string, keptBytes: number, signal?: AbortSignal): AsyncGenerator<FileLine> {
  const hash = createHash('sha256')
  let line = startLine(0)

  function startLine(offset: number) {
    return { offset, bytes: 0, kept: [] as Buffer[], keptBytes: 0, digestBefore: hash.copy().digest('hex') }
  }
  function take(part: Buffer): void {
    line.bytes += part.length
    if (line.keptBytes >= keptBytes) return
    const kept = part.subarray(0, keptBytes - line.keptBytes)
    // The stream may reuse its buffer.
    line.kept.push(Buffer.from(kept))
    line.keptBytes += kept.length
  }
  const toLine = (isWhole: boolean): FileLine => {
    const { offset, bytes, kept, digestBefore } = line
    return { offset, bytes, head: Buffer.concat(kept), isWhole, digestBefore }
  }
  for await (const chunk of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
    let at = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, at)) {
      take(chunk.subarray(at, end))
      hash.update(chunk.subarray(at, end + 1))
      at = end + 1
      yield toLine(true)
      line = startLine(line.offset + line.bytes + 1)
    }
    take(chunk.subarray(at))
    hash.update(chunk.subarray(at))
  }
  if (line.bytes > 0) yield toLine(false)
}
