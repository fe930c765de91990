/**
 * Joins short chunks of a body that is kept in memory. Each chunk takes some 300 bytes beside its own, which count nowhere: a body of 4 MiB
 * in chunks of one byte took over 600 MB.
 */

/** Bytes from which chunks are passed on: what they take beside their own is then below a fiftieth. */
const PASSED_BYTES = 16 * 1024

/** Chunks that are kept apart at most. */
const APART_MAX = 256

interface JoinedChunks {
  add(chunk: Uint8Array): void
  /** Passes on what is left. */
  end(): void
}

/** Calls `pass` with the same bytes in the same order, in chunks of at least 16 KiB but for the last one and those before a longer one. */
export function createJoinedChunks(pass: (chunk: Uint8Array) => void): JoinedChunks {
  let short: Uint8Array[] = []
  let bytes = 0
  function end(): void {
    const [first] = short
    if (first !== undefined) pass(short.length === 1 ? first : Buffer.concat(short))
    short = []
    bytes = 0
  }
  return {
    add(chunk) {
      if (chunk.length >= PASSED_BYTES) {
        end()
        pass(chunk)
        return
      }
      short.push(chunk)
      bytes += chunk.length
      if (bytes >= PASSED_BYTES) end()
      else if (short.length === APART_MAX) short = [Buffer.concat(short)]
    },
    end
  }
}
