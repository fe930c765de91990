import t from 'tap'
import { DomainError } from '../../src/domain/errors.js'
import { type BatchQueueOptions, createBatchQueue, TextsFailedError, TextsRefusedError } from '../../src/embedders/batch-queue.js'
import { createManualClock } from '../support/embedder-ports.js'

/** Opens a queue whose batches the test finishes by hand. A text's vector is its length. */
function open(options: Partial<BatchQueueOptions> = {}) {
  const clock = createManualClock()
  const batches: { readonly texts: readonly string[]; readonly signal: AbortSignal; finish(): void; fail(error: Error): void }[] = []
  const queue = createBatchQueue({
    clock,
    concurrency: 1,
    batchTextsMax: 4,
    batchTokensMax: 1_000,
    queueTextsMax: 6,
    deadlineMs: 1_000,
    run: (texts, signal) =>
      new Promise((resolve, reject) => {
        batches.push({ texts, signal, finish: () => resolve(texts.map((text) => Float32Array.of(text.length))), fail: reject })
      }),
    ...options
  })
  return { clock, batches, queue, settled: () => new Promise((resolve) => setImmediate(resolve)) }
}

t.test('batch queue: texts that arrive during a batch travel together in the next', async (t) => {
  const { queue, batches, settled } = open()
  const first = queue.submit(['a'], undefined)
  await settled()
  const rest = [queue.submit(['bb'], undefined), queue.submit(['ccc', 'd'], undefined)]
  await settled()
  t.same(
    batches.map((batch) => batch.texts),
    [['a']]
  )
  batches[0]!.finish()
  await settled()
  t.same(batches[1]!.texts, ['bb', 'ccc', 'd'])
  batches[1]!.finish()
  t.same(
    (await Promise.all([first, ...rest])).map((vectors) => vectors.map((vector) => vector[0])),
    [[1], [2], [3, 1]]
  )
})

t.test('batch queue: a bulk load does not hold a single text that comes after it', async (t) => {
  const { queue, batches, settled } = open({ queueTextsMax: 20 })
  const bulk = queue.submit(['b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7', 'b8', 'b9'], undefined)
  const single = queue.submit(['single'], undefined)
  await settled()
  t.same(batches[0]!.texts, ['b1', 'single', 'b2', 'b3'])
  batches[0]!.finish()
  t.equal((await single)[0]![0], 6)
  for (let next = 1; next < 3; next++) {
    await settled()
    batches[next]!.finish()
  }
  t.equal((await bulk).length, 9)
})

t.test('batch queue: long texts are bounded by tokens and travel alone when too long', async (t) => {
  const { queue, batches, settled } = open({ batchTokensMax: 10 })
  const done = queue.submit(['x'.repeat(400), 'y'.repeat(20), 'z'.repeat(20), 'w'], undefined)
  for (let next = 0; next < 3; next++) {
    await settled()
    batches[next]!.finish()
  }
  await done
  t.same(
    batches.map((batch) => batch.texts.length),
    [1, 2, 1]
  )
})

t.test('a full batch queue refuses with busy and works on', async (t) => {
  const { queue, batches, settled } = open()
  const running = queue.submit(['a'], undefined)
  await settled()
  const waiting = queue.submit(['1', '2', '3', '4'], undefined)
  await t.rejects(queue.submit(['5', '6', '7'], undefined), { code: 'busy' })
  const fits = queue.submit(['5', '6'], undefined)
  for (let next = 0; next < 3; next++) {
    batches[next]!.finish()
    await settled()
  }
  t.same(
    (await Promise.all([running, waiting, fits])).map((vectors) => vectors.length),
    [1, 4, 2]
  )
})

t.test('batch queue: one call above the limit is taken when nothing else waits', async (t) => {
  const { queue, batches, settled } = open({ batchTextsMax: 100 })
  const bulk = queue.submit(Array<string>(50).fill('x'), undefined)
  await settled()
  batches[0]!.finish()
  t.equal((await bulk).length, 50)
})

t.test('batch queue: aborted calls leave the queue at once and stop a batch nobody waits for', async (t) => {
  const { queue, batches, settled, clock } = open()
  const [one, two, queued] = [new AbortController(), new AbortController(), new AbortController()]
  const first = queue.submit(['a'], one.signal)
  const second = queue.submit(['b'], two.signal)
  await settled()
  const third = queue.submit(['c'], queued.signal)
  const reason = new DomainError('deadline_passed', 'The deadline has passed')
  queued.abort(reason)
  await t.rejects(third, reason)
  one.abort()
  await t.rejects(first, { code: 'embedder_unavailable' })
  t.notOk(batches[0]!.signal.aborted, 'the other caller still waits')
  two.abort()
  await t.rejects(second, { code: 'embedder_unavailable' })
  t.ok(batches[0]!.signal.aborted)
  await t.rejects(queue.submit(['d'], AbortSignal.abort()), { code: 'embedder_unavailable' })
  batches[0]!.finish()
  await queue.close()
  t.equal(batches.length, 1, 'the withdrawn text never ran')
  t.equal(clock.waiting, 0, 'no timer is left')
})

t.test('batch queue: a batch past the deadline fails its callers and frees the queue', async (t) => {
  const { queue, batches, settled, clock } = open()
  const late = queue.submit(['a'], undefined)
  await settled()
  clock.advance(1_000)
  await t.rejects(late, { code: 'embedder_unavailable' })
  const next = queue.submit(['bb'], undefined)
  batches[0]!.finish()
  await settled()
  batches[1]!.finish()
  t.equal((await next)[0]![0], 2)
})

t.test('batch queue: a text that is refused fails its own caller only', async (t) => {
  const { queue } = open({
    run: async (texts) => {
      if (texts.includes('bad')) throw new TextsRefusedError('refused')
      return texts.map((text) => Float32Array.of(text.length))
    }
  })
  const good = queue.submit(['good'], undefined)
  await t.rejects(queue.submit(['bad'], undefined), { code: 'embedder_unavailable' })
  t.equal((await good)[0]![0], 4)
})

for (const TextsError of [TextsFailedError, TextsRefusedError]) {
  t.test(`batch queue: ${TextsError.name} over one subject's text fails no other one, whose texts then go by themselves`, async (t) => {
    const runs: (readonly string[])[] = []
    const { queue, settled } = open({
      run: async (texts) => {
        runs.push(texts)
        if (texts.some((text) => text.startsWith('bad'))) throw new TextsError('The texts are too much')
        return texts.map((text) => Float32Array.of(text.length))
      }
    })
    const ask = async (): Promise<void> => {
      const good = queue.submit(['good', 'better'], undefined, 'alice')
      const bad = [queue.submit(['bad'], undefined, 'mallory'), queue.submit(['bad as well'], undefined, 'mallory')]
      t.equal((await good).length, 2)
      for (const one of bad) await t.rejects(one, { code: 'embedder_unavailable', message: 'The texts are too much' })
      await settled()
    }
    await ask()
    t.same(runs[0], ['good', 'bad', 'better', 'bad as well'], 'in turns at first')
    t.ok(runs.some((texts) => texts.join() === 'good,better'))
    runs.length = 0
    await ask()
    t.equal(runs.filter((texts) => texts.includes('good') && texts.some((text) => text.startsWith('bad'))).length, 0)
    await queue.submit(['fine'], undefined, 'mallory')
    runs.length = 0
    await Promise.all([queue.submit(['good'], undefined, 'alice'), queue.submit(['fine'], undefined, 'mallory')])
    t.same(runs, [['good', 'fine']], 'and together again once that subject is answered')
  })
}

t.test('batch queue: what fails for another reason is not run again', async (t) => {
  let runs = 0
  const { queue } = open({
    run: async () => {
      runs += 1
      throw new DomainError('embedder_unavailable', 'Nobody is there')
    }
  })
  const calls = ['alice', 'bob'].map((subject) => queue.submit(['a'], undefined, subject))
  for (const call of calls) await t.rejects(call, { message: 'Nobody is there' })
  t.equal(runs, 1)
})

t.test('a closed batch queue finishes what it accepted and refuses the rest', async (t) => {
  const { queue, batches, settled } = open()
  const accepted = queue.submit(['a'], undefined)
  await settled()
  const closed = queue.close()
  await t.rejects(queue.submit(['b'], undefined), { code: 'embedder_unavailable' })
  batches[0]!.finish()
  await Promise.all([accepted, closed, queue.close()])
})

t.test('batch queue: a subject with many callers gets no more than another with one', async (t) => {
  const { queue, batches, settled } = open({ queueTextsMax: 40 })
  const loud = Array.from({ length: 10 }, (_, n) => queue.submit([`l${String(n)}`], undefined, 'loud'))
  const quiet = queue.submit(['q0', 'q1'], undefined, 'quiet')
  await settled()
  t.same(batches[0]!.texts, ['l0', 'q0', 'l1', 'q1'])
  for (let next = 0; next < 3; next++) {
    batches[next]!.finish()
    await settled()
  }
  await Promise.all([...loud, quiet])
})

t.test('batch queue: a subject whose texts are long has fewer of them in a batch', async (t) => {
  const { queue, batches, settled } = open({ queueTextsMax: 40, batchTextsMax: 8 })
  const long = queue.submit(
    Array.from({ length: 4 }, () => 'x'.repeat(40)),
    undefined,
    'long'
  )
  const short = queue.submit(
    Array.from({ length: 8 }, () => 'y'),
    undefined,
    'short'
  )
  await settled()
  t.equal(batches[0]!.texts.filter((text) => text === 'y').length, 6)
  batches[0]!.finish()
  await settled()
  batches[1]!.finish()
  await Promise.all([long, short])
})

t.test('a batch queue filled by one subject refuses it and still takes another', async (t) => {
  const { queue, batches, settled } = open({ queueTextsMax: 6 })
  const loud = [queue.submit(['a', 'b', 'c', 'd', 'e', 'f'], undefined, 'loud')]
  await t.rejects(queue.submit(['g'], undefined, 'loud'), { code: 'busy' })
  const quiet = queue.submit(['q'], undefined, 'quiet')
  await settled()
  batches[0]!.finish()
  await settled()
  t.same(batches[1]!.texts[0], 'q', 'which is next')
  batches[1]!.finish()
  await Promise.all([...loud, quiet])
})
