/** Log lines on the standard output. What cannot be written there, to a full disk say, is lost; the service goes on. */
import { writeSync } from 'node:fs'
import { codeIn } from '../domain/errors.js'

const STANDARD_OUTPUT = 1

/** Milliseconds that a line waits for a reader that does not keep up, and between two tries. */
const WAIT_MS_MAX = 1_000
const WAIT_MS = 10

/** Lines that could not be written, and why. */
export interface LostLines {
  readonly lines: number
  /** The system's word, such as ENOSPC. */
  readonly code: string
}

export interface LogOutput {
  /** Says what was lost before this line, if it is the first that was written since; else null. Never throws. */
  write(line: string): LostLines | null
}

/**
 * Writes at once, so that nothing is left when the process ends. The writer of the logging library is not used: an error of the disk ends
 * the process with it, but for its last lines, which it tries to write without end.
 */
export function createLogOutput(writeBytes: (bytes: Uint8Array) => number = (bytes) => writeSync(STANDARD_OUTPUT, bytes)): LogOutput {
  let lost: LostLines | null = null
  let isCut = false

  function writeAll(bytes: Uint8Array): void {
    // Who has lost lines already has waited.
    let waitsLeft = lost === null ? WAIT_MS_MAX / WAIT_MS : 0
    for (let done = 0; done < bytes.length;) {
      try {
        done += writeBytes(bytes.subarray(done))
        isCut = done < bytes.length
      } catch (error) {
        if (codeIn(error) !== 'EAGAIN' || waitsLeft-- <= 0) throw error
        sleep(WAIT_MS)
      }
    }
  }

  return {
    write(line) {
      try {
        writeAll(Buffer.from(isCut ? `\n${line}` : line))
      } catch (error) {
        lost = { lines: (lost?.lines ?? 0) + 1, code: codeIn(error) ?? 'unknown' }
        return null
      }
      const before = lost
      lost = null
      return before
    }
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
