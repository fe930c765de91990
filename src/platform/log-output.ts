/** Writes log lines to standard output. Lines that cannot be written, for example to a full disk, are lost, and the service goes on. */
import { writeSync } from 'node:fs'
import { codeIn } from '../domain/errors.js'

const STANDARD_OUTPUT = 1

/** Milliseconds that a line waits for a slow reader, and between two attempts. */
const WAIT_MS_MAX = 1_000
const WAIT_MS = 10

/** Number of lines that could not be written, and why. */
interface LostLines {
  readonly lines: number
  /** Error code of the system, such as ENOSPC. */
  readonly code: string
}

interface LogOutput {
  /** Returns what was lost before this line if it is the first one written since, else null. Never throws. */
  write(line: string): LostLines | null
}

/**
 * Writes synchronously, so that nothing is pending when the process ends. The logging library's writer is not used: a disk error ends the
 * process with it, or makes it retry its last lines without end.
 */
export function createLogOutput(writeBytes: (bytes: Uint8Array) => number = (bytes) => writeSync(STANDARD_OUTPUT, bytes)): LogOutput {
  let lost: LostLines | null = null
  let isCut = false

  function writeAll(bytes: Uint8Array): void {
    // After a loss, further lines do not wait.
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
