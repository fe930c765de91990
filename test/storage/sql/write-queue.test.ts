import t from 'tap'
import type { WriteOperation, WriteResult } from '../../../src/storage/sql/operations.js'
import { createWriteQueue } from '../../../src/storage/sql/write-queue.js'
import { createManualClock, settled } from '../../support/manual-clock.js'

const MEGABYTE = 1024 * 1024

/** A queue whose transactions the test finishes by hand. */
function open(lanes = 1) {
  const batches: { readonly names: string[]; finish(): void }[] = []
  const write = (batch: readonly WriteOperation[]) =>
    new Promise<readonly WriteResult[]>((resolve) => {
      const names = batch.map(({ address: { subject, id } }) => `${subject}/${id}`)
      batches.push({ names, finish: () => resolve(batch.map(() => ({ outcome: 'unchanged' }))) })
    })
  const queue = createWriteQueue({ write, clock: createManualClock(), lanes, batchMax: 4 })
  const add = (subject: string, id: string, bytes = 0) => {
    const changes = { head: new Uint8Array(0), put: [], remove: [], clear: false, audit: [], wakes: false, bytes }
    return queue.add({ action: 'commit', address: { kind: 'session', subject, id }, token: { epoch: 1, version: 1 }, changes })
  }
  const finishNext = async (): Promise<string[]> => {
    const batch = batches.shift()
    batch?.finish()
    await settled()
    await settled()
    return batch?.names ?? []
  }
  return { add, finishNext, queue, underWay: () => batches.map(({ names }) => names) }
}

t.test('large writes of one subject do not all go before a small one of another', async (t) => {
  const { add, finishNext } = open()
  const written = Array.from({ length: 8 }, (_, n) => add('loud', String(n), 4 * MEGABYTE))
  written.push(add('quiet', 'q', 1))
  t.same(await finishNext(), ['loud/0'])
  t.same(await finishNext(), ['quiet/q'], 'it is the next one that goes first')
  for (let n = 1; n < 8; n++) t.same(await finishNext(), [`loud/${String(n)}`])
  await Promise.all(written)
})

t.test('a transaction with room for few writes has some of each subject, and those to one record keep their order', async (t) => {
  const { add, finishNext, queue } = open()
  const written = [add('first', 'x')]
  for (const id of ['a', 'b', 'c', 'a', 'd']) written.push(add('loud', id))
  for (const id of ['k', 'k']) written.push(add('quiet', id))
  await finishNext()
  t.same(await finishNext(), ['loud/a', 'quiet/k', 'loud/b', 'loud/c'])
  t.same((await finishNext()).sort(), ['loud/a', 'loud/d', 'quiet/k'])
  await Promise.all(written)
  await queue.idle()
})

t.test('a small write shares no transaction with a large one of another subject', async (t) => {
  const { add, finishNext, queue } = open()
  const written = [
    add('first', 'x'),
    add('loud', 'a', MEGABYTE),
    add('loud', 'b', MEGABYTE),
    add('quiet', 'k', 100),
    add('other', 'o', 100)
  ]
  await finishNext()
  t.same(await finishNext(), ['loud/a', 'loud/b'])
  t.same((await finishNext()).sort(), ['other/o', 'quiet/k'])
  await Promise.all(written)
  await queue.idle()
})

t.test('a queue is idle once nothing is written, and nothing waits to be', async (t) => {
  const { add, finishNext, queue } = open()
  await queue.idle()
  const written = [add('a', 'x'), add('a', 'x')]
  let isIdle = false
  const idle = queue.idle().then(() => (isIdle = true))
  await settled()
  t.notOk(isIdle, 'one is written, and one waits')
  await finishNext()
  t.notOk(isIdle, 'the last one is written')
  await finishNext()
  await idle
  await Promise.all(written)
})

t.test('where there are several lanes, one is left for other subjects', async (t) => {
  const { add, finishNext, queue, underWay } = open(3)
  const written = Array.from({ length: 6 }, (_, n) => add('loud', String(n), 4 * MEGABYTE))
  t.same(underWay(), [['loud/0'], ['loud/1']])
  written.push(add('quiet', 'q', 1))
  t.same(underWay(), [['loud/0'], ['loud/1'], ['quiet/q']])
  await finishNext()
  t.same(underWay(), [['loud/1'], ['quiet/q'], ['loud/2']], 'what is done makes room')
  while (underWay().length > 0) await finishNext()
  await Promise.all(written)
  await queue.idle()
})

t.test('a subject whose transaction has ended has as many under way as before, and no more', async (t) => {
  const { add, finishNext, queue, underWay } = open(4)
  const written = Array.from({ length: 6 }, (_, n) => add('loud', String(n), 4 * MEGABYTE))
  t.same(underWay(), [['loud/0'], ['loud/1'], ['loud/2']])
  await finishNext()
  t.same(underWay(), [['loud/1'], ['loud/2'], ['loud/3']])
  while (underWay().length > 0) await finishNext()
  await Promise.all(written)
  await queue.idle()
})
