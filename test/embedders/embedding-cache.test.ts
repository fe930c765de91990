import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { DomainError } from '../../src/domain/errors.js'
import { createEmbeddingCache } from '../../src/embedders/embedding-cache.js'
import type { Embedder } from '../../src/ports.js'
import { createManualClock } from '../support/manual-clock.js'

/** Opens a cache over an embedder that records its calls and answers when the test says so. */
function open(bytesMax?: number) {
  const calls: {
    readonly texts: readonly string[]
    readonly signal: AbortSignal | undefined
    finish(): void
    fail(error: Error): void
  }[] = []
  let isManual = false
  const embedder: Embedder = {
    modelName: 'm',
    windowTokens: 8,
    countTokens: (text) => text.length,
    embed: (texts, { dimension, signal }) =>
      new Promise((resolve, reject) => {
        const finish = (): void => resolve(texts.map((text) => new Float32Array(dimension).fill(text.length)))
        calls.push({ texts, signal, finish, fail: reject })
        if (!isManual) finish()
      })
  }
  const clock = createManualClock()
  const cache = createEmbeddingCache({ clock, ...(bytesMax !== undefined && { bytesMax }) })
  return { clock, cache, cached: cache.wrap(embedder), embedder, calls, byHand: () => (isManual = true) }
}

t.test('embedding cache: a known text is not embedded again', async (t) => {
  const { cached, calls } = open()
  await cached.embed(['a', 'bb', 'a'], { dimension: 2 })
  const again = await cached.embed(['bb', 'ccc', 'a'], { dimension: 2 })
  t.same(
    calls.map((call) => call.texts),
    [['a', 'bb'], ['ccc']]
  )
  t.same(
    again.map((vector) => [...vector]),
    [
      [2, 2],
      [3, 3],
      [1, 1]
    ]
  )
  await cached.embed(['a'], { dimension: 3 })
  t.equal(calls.length, 3, 'another dimension is another vector')
})

t.test('embedding cache: two models are kept apart', async (t) => {
  const { cache, cached, embedder, calls } = open()
  await cached.embed(['a'], { dimension: 2 })
  await cache.wrap({ ...embedder, modelName: 'n' }).embed(['a'], { dimension: 2 })
  t.equal(calls.length, 2)
})

t.test('embedding cache: a vector changed by its caller stays as it was', async (t) => {
  const { cached } = open()
  const [first, twin] = await cached.embed(['a', 'a'], { dimension: 2 })
  first!.fill(9)
  t.same([...twin!], [1, 1])
  t.same([...(await cached.embed(['a'], { dimension: 2 }))[0]!], [1, 1])
})

t.test('an embedding cache over its bytes drops the least recently used', async (t) => {
  const bytesMax = 3 * (4 * 64 + 608)
  const { cache, cached, calls } = open(bytesMax)
  for (const text of ['a', 'b', 'c', 'a', 'd']) {
    await cached.embed([text], { dimension: 64 })
    t.ok(cache.bytes <= bytesMax)
  }
  await cached.embed(['a', 'c', 'd'], { dimension: 64 })
  t.equal(calls.length, 4)
  await cached.embed(['b'], { dimension: 64 })
  t.equal(calls.length, 5, 'b was the oldest')
  await cached.embed(['large'], { dimension: 1_000 })
  t.ok(cache.bytes <= bytesMax, 'larger than all: not kept')
})

t.test('embedding cache: equal texts at once are embedded once', async (t) => {
  const { cached, calls, byHand } = open()
  byHand()
  const both = [cached.embed(['a', 'b'], { dimension: 2 }), cached.embed(['b', 'c'], { dimension: 2 })]
  t.same(
    calls.map((call) => call.texts),
    [['a', 'b'], ['c']]
  )
  for (const call of calls) call.finish()
  t.same(
    (await Promise.all(both)).map((vectors) => vectors.length),
    [2, 2]
  )
})

t.test('embedding cache: a failure reaches all that wait and is not remembered', async (t) => {
  const { cached, calls, byHand } = open()
  byHand()
  const both = [cached.embed(['a'], { dimension: 2 }), cached.embed(['a'], { dimension: 2 })]
  calls[0]!.fail(new DomainError('busy', 'full'))
  for (const outcome of await Promise.allSettled(both)) t.match(outcome, { status: 'rejected', reason: { code: 'busy' } })
  const again = cached.embed(['a'], { dimension: 2 })
  calls[1]!.finish()
  t.equal((await again).length, 1)
})

t.test('embedding cache: one of two callers that gives up leaves the other its answer', async (t) => {
  const { cached, calls, byHand } = open()
  byHand()
  const [one, two] = [new AbortController(), new AbortController()]
  const first = cached.embed(['a'], { dimension: 2, signal: one.signal })
  const second = cached.embed(['a'], { dimension: 2, signal: two.signal })
  one.abort()
  await t.rejects(first, { code: 'embedder_unavailable' })
  t.equal(calls[0]!.signal?.aborted, false)
  two.abort()
  await t.rejects(second, { code: 'embedder_unavailable' })
  t.equal(calls[0]!.signal?.aborted, true)
  const third = cached.embed(['a'], { dimension: 2 })
  calls[1]!.finish()
  t.equal((await third).length, 1, 'a later caller does not join what was called off')
})

t.test('an embedding cache that is told to forget while a text is under way keeps nothing of it', async (t) => {
  const { cache, cached, calls, byHand } = open()
  byHand()
  const pending = cached.embed(['a'], { dimension: 2 })
  cache.forget()
  calls[0]!.finish()
  await pending
  await setImmediate()
  t.equal(cache.bytes, 0)
})

t.test('an embedding cache that has forgotten lets nobody join what was under way before', async (t) => {
  const { cache, cached, calls, byHand } = open()
  byHand()
  const before = cached.embed(['a'], { dimension: 2 })
  cache.forget()
  const after = cached.embed(['a'], { dimension: 2 })
  t.equal(calls.length, 2)
  for (const call of calls) call.finish()
  t.same(await after, await before)
  await setImmediate()
  t.ok(cache.bytes > 0, 'what was asked for afterwards is kept')
})

t.test('an embedding cache that forgets one subject keeps what others had embedded, or have under way', async (t) => {
  const { cache, cached, calls, byHand } = open()
  await cached.embed(['kept'], { dimension: 2, subject: 'bob' })
  byHand()
  const pending = ['alice', 'bob'].map((subject) => cached.embed(['a'], { dimension: 2, subject }))
  cache.forget('alice')
  for (const call of calls) call.finish()
  await Promise.all(pending)
  await setImmediate()
  await cached.embed(['kept', 'a'], { dimension: 2, subject: 'bob' })
  t.equal(calls.length, 3, 'nothing of bob is embedded again')
  const again = cached.embed(['a'], { dimension: 2, subject: 'alice' })
  t.equal(calls.length, 4, 'what alice had under way was not kept')
  calls[3]!.finish()
  await again
})

t.test('embedding cache: a text that one subject had embedded is a miss for another, kept or under way', async (t) => {
  const { cached, calls, byHand } = open()
  await cached.embed(['a', 'b'], { dimension: 2, subject: 'alice' })
  await cached.embed(['a', 'b'], { dimension: 2, subject: 'bob' })
  await cached.embed(['a', 'b'], { dimension: 2 })
  t.equal(calls.length, 3)
  await cached.embed(['b', 'a'], { dimension: 2, subject: 'bob' })
  t.equal(calls.length, 3, 'its own it remembers')
  byHand()
  const both = [cached.embed(['c'], { dimension: 2, subject: 'alice' }), cached.embed(['c'], { dimension: 2, subject: 'bob' })]
  t.equal(calls.length, 5)
  for (const call of calls) call.finish()
  await Promise.all(both)
})

t.test('embedding cache: a subject that floods it pushes out its own vectors and nobody else’s', async (t) => {
  const size = 4 * 64 + 608
  const { cache, cached, calls } = open(20 * size)
  const quiet = ['q0', 'q1', 'q2', 'q3', 'q4']
  await cached.embed(quiet, { dimension: 64, subject: 'quiet' })
  for (let n = 0; n < 200; n++) await cached.embed([`loud ${String(n)}`], { dimension: 64, subject: 'loud' })
  t.equal(cache.bytes, 20 * size, 'what others leave is used')
  const before = calls.length
  await cached.embed(quiet, { dimension: 64, subject: 'quiet' })
  t.equal(calls.length, before)
  for (let n = 0; n < 8; n++) await cached.embed([`third ${String(n)}`], { dimension: 64, subject: 'third' })
  t.equal(cache.bytes, 20 * size)
  const after = calls.length
  await cached.embed([...quiet], { dimension: 64, subject: 'quiet' })
  await cached.embed(
    Array.from({ length: 6 }, (_, n) => `third ${String(n + 2)}`),
    { dimension: 64, subject: 'third' }
  )
  t.equal(calls.length, after, 'each keeps its part, at the cost of the one with most')
  cache.forget()
  t.equal(cache.bytes, 0)
  await cached.embed(quiet, { dimension: 64, subject: 'quiet' })
  t.equal(calls.length, after + 1, 'forgotten for everybody')
})

/** Milliseconds for which an unused vector is kept, and until it has gone at the latest. */
const KEPT_MS = 600_000
const GONE_MS = 660_000

t.test('an embedding cache keeps a vector that nobody uses for ten minutes', async (t) => {
  const { cache, cached, calls, clock } = open()
  await cached.embed(['deleted', 'asked'], { dimension: 2, subject: 'alice' })
  await clock.advance(KEPT_MS - 1)
  await cached.embed(['asked'], { dimension: 2, subject: 'alice' })
  t.equal(calls.length, 1)
  await clock.advance(GONE_MS - KEPT_MS + 1)
  t.equal(cache.bytes, 4 * 2 + 608, 'only what was asked again is kept')
  await clock.advance(GONE_MS)
  t.equal(cache.bytes, 0)
  t.equal(clock.pending, 0, 'an empty cache waits for nothing')
  await cached.embed(['asked'], { dimension: 2, subject: 'alice' })
  t.equal(calls.length, 2)
  t.equal(clock.pending, 1)
})

t.test('a closed embedding cache holds nothing, and no timer', async (t) => {
  const { cache, cached, clock } = open()
  await cached.embed(['a'], { dimension: 2 })
  cache.close()
  t.equal(cache.bytes, 0)
  t.equal(clock.pending, 0)
  open().cache.close()
})
