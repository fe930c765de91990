/** The body of an answer, as a stream of chunks. */
import { EngramError } from './engram-error.js'
import { toBrokenOff } from './refusals.js'
import type { Timers } from './timers.js'

export interface StreamLimits {
  /** Milliseconds without a byte after which the answer counts as lost. */
  readonly silentMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Yields the chunks of an answer until it ends. Rejects with an EngramError when it breaks off, falls silent, or is aborted by `signal`.
 * Leaving the loop cancels the answer.
 */
export async function* piecesOf(
  { body }: Response,
  limits: StreamLimits,
  timers: Timers
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (;;) {
      const part = await readWithin(reader, limits, timers)
      if (part.done) return
      yield part.value as Uint8Array<ArrayBuffer>
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

type Reader = ReadableStreamDefaultReader<unknown>

async function readWithin(reader: Reader, { silentMs, signal }: StreamLimits, timers: Timers): ReturnType<Reader['read']> {
  const ending: { error?: EngramError } = {}
  const end = (error: EngramError) => {
    ending.error ??= error
    void reader.cancel().catch(() => undefined)
  }
  const onAbort = () => end(new EngramError({ kind: 'aborted', detail: 'The stream was ended by its reader' }))
  const cancel = timers.after(silentMs, () => end(new EngramError({ kind: 'unreachable', detail: 'The stream fell silent' })))
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted === true) onAbort()
  try {
    const part = await reader.read()
    if (ending.error !== undefined) throw ending.error
    return part
  } catch (error) {
    throw ending.error ?? toBrokenOff(error)
  } finally {
    cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}
