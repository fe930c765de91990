/** Streamed answers: what ends them, and what is left of them. */
import { getEventListeners } from 'node:events'
import t from 'tap'
import { EngramError } from '../../src/client/engram-error.js'
import { piecesOf } from '../../src/client/pieces.js'
import { createTimers } from '../support/manual-timers.js'

const SILENT_MS = 1_000

/** An answer that the test writes, with how it ended. */
function createAnswer(signal?: AbortSignal) {
  const { timers, pass, pending } = createTimers()
  let writer: ReadableStreamDefaultController<Uint8Array> | undefined
  const seen = { isCancelled: false }
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (writer = controller),
    cancel: () => void (seen.isCancelled = true)
  })
  const pieces = piecesOf(new Response(body), { silentMs: SILENT_MS, signal }, timers)
  return { pieces, pass, pending, seen, write: (byte: number) => writer?.enqueue(Uint8Array.of(byte)), writer: () => writer }
}

const kindOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => (error instanceof EngramError ? error.kind : error))

t.test('pieces come in their order to the end, and none leaves a timer or a listener behind', async (t) => {
  const { signal } = new AbortController()
  const { pieces, pending, write, writer } = createAnswer(signal)
  for (const byte of [1, 2, 3]) {
    write(byte)
    t.same((await pieces.next()).value, [byte])
    t.equal(pending(), 0)
    t.equal(getEventListeners(signal, 'abort').length, 0)
  }
  writer()?.close()
  t.match(await pieces.next(), { done: true, value: undefined })
})

t.test('an answer that falls silent is lost, and the time that its reader takes does not count', async (t) => {
  const { pieces, pass, seen, write } = createAnswer()
  write(1)
  await pieces.next()
  await pass(10 * SILENT_MS)
  write(2)
  t.same((await pieces.next()).value, [2])
  const next = kindOf(pieces.next())
  await pass(SILENT_MS - 1)
  t.notOk(seen.isCancelled)
  await pass(1)
  t.equal(await next, 'unreachable')
  t.ok(seen.isCancelled)
})

t.test('a signal ends an answer that is waited for, and one that is not', async (t) => {
  for (const isWaitedFor of [true, false]) {
    const controller = new AbortController()
    const { pieces, seen, write } = createAnswer(controller.signal)
    write(1)
    await pieces.next()
    const next = isWaitedFor ? kindOf(pieces.next()) : null
    controller.abort()
    t.equal(await (next ?? kindOf(pieces.next())), 'aborted')
    t.ok(seen.isCancelled)
  }
})

t.test('an answer that breaks off is lost, one that its reader leaves is cancelled, and one without a body is empty', async (t) => {
  const broken = createAnswer()
  broken.writer()?.error(new Error('cut'))
  t.equal(await kindOf(broken.pieces.next()), 'unreachable')
  const left = createAnswer()
  left.write(1)
  await left.pieces.next()
  await left.pieces.return()
  t.ok(left.seen.isCancelled)
  t.match(await piecesOf(new Response(null), { silentMs: SILENT_MS }, createTimers().timers).next(), { done: true })
})
