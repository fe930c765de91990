import t from 'tap'
import { filterParts, kindsOf, partsOf } from '../../src/debug-page/parts.js'
import { createTexts } from '../../src/debug-page/texts.js'
import { createTimers } from '../support/manual-timers.js'

const part = (kind: string, name: string, state = 'active') => ({ id: `${kind}:${name}`, kind, label: name, state })

t.test('parts: sessions first, live before stored, each once, by name', async (t) => {
  const nodes = [part('service', 'service'), part('cluster', 'c'), part('session', 'b')]
  const sessions = [
    { session_id: 'b', state: 'stored' },
    { session_id: 'z', state: 'active' },
    { session_id: 'a', state: 'stored' }
  ] as const
  t.strictSame(
    partsOf({ nodes }, sessions).map(({ id, state }) => `${id} ${state}`),
    ['session:b active', 'session:z active', 'session:a stored', 'cluster:c active', 'service:service active']
  )
})

t.test('parts: found by every word of the filter, in any case, by name or id, and by kind', async (t) => {
  const parts = [part('session', 'Anna-Berlin'), part('session', 'anna'), { ...part('cluster', 'x1'), label: 'Support Berlin' }]
  const found = (words: string, kind = '') => filterParts(parts, { words, kind }).map(({ label }) => label)
  t.strictSame(found('  berlin ANNA '), ['Anna-Berlin'])
  t.strictSame(found('x1'), ['Support Berlin'])
  t.strictSame(found('berlin', 'session'), ['Anna-Berlin'])
  t.strictSame(
    found(''),
    parts.map(({ label }) => label)
  )
  t.strictSame(found('nobody'), [])
  t.strictSame(kindsOf(parts), [
    ['session', 2],
    ['cluster', 1]
  ])
})

t.test('texts: each is read once, a few at a time, and a failed one again', async (t) => {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  let drawn = 0
  const read = (hash: string) =>
    new Promise<string | null>((resolve, reject) => {
      asked.push(hash)
      waiting.push(() =>
        hash === 'h9' && asked.filter((known) => known === hash).length === 1
          ? reject(new Error('away'))
          : resolve(hash === 'h8' ? null : `text of ${hash}`)
      )
    })
  const texts = createTexts(read, () => drawn++, createTimers().timers)
  const settle = async () => {
    for (const go of waiting.splice(0)) go()
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
  const hashes = Array.from({ length: 10 }, (_, i) => `h${i}`)
  for (const hash of [...hashes, ...hashes]) t.equal(texts.textOf(hash), undefined)
  await Promise.resolve()
  t.equal(asked.length, 4, 'four at a time')
  while (waiting.length > 0) await settle()
  t.strictSame([...asked].sort(), hashes, 'each once')
  t.ok(drawn > 0)
  t.equal(texts.textOf('h3'), 'text of h3')
  t.equal(texts.textOf('h8'), null, 'there is none')
  t.equal(texts.textOf('h9'), undefined)
  await Promise.resolve()
  while (waiting.length > 0) await settle()
  t.equal(texts.textOf('h9'), 'text of h9')
  texts.close()
  texts.textOf('late')
  await Promise.resolve()
  t.notOk(asked.includes('late'))
})

/** Creates texts that equal their hashes, and records which hashes were requested. */
function createEcho() {
  const { timers, pass, pending } = createTimers()
  const asked: string[] = []
  const draws = { count: 0 }
  const read = async (hash: string) => {
    asked.push(hash)
    return hash
  }
  const texts = createTexts(read, () => draws.count++, timers)
  return { texts, asked, draws, pass, pending }
}

const hashesTo = (count: number) => Array.from({ length: count }, (_, at) => `h${String(at)}`)

t.test('texts: as many within a time as leave room for other calls, the latest that were wanted first', async (t) => {
  const { texts, asked, draws, pass, pending } = createEcho()
  for (const hash of hashesTo(500)) texts.textOf(hash)
  await pass(19_999)
  t.strictSame(asked, hashesTo(500).slice(-40).reverse())
  t.equal(draws.count, 1, 'when all are there that may be')
  await pass(1)
  t.equal(asked.length, 80)
  await pass(200_000)
  t.equal(asked.length, 200, 'what was wanted long ago is wanted no more')
  texts.textOf('late')
  await pass(0)
  t.equal(asked.at(-1), 'late')
  texts.close()
  t.equal(pending(), 0)
})

t.test('texts: of those that were read the first one goes when there are too many, and is read again', async (t) => {
  const { texts, asked, draws, pass } = createEcho()
  for (const hash of hashesTo(2_001)) {
    texts.textOf(hash)
    await pass(500)
  }
  t.equal(asked.length, 2_001)
  t.equal(texts.textOf('h1'), 'h1')
  t.equal(texts.textOf('h0'), undefined)
  await pass(500)
  t.strictSame(asked.slice(2_001), ['h0'])
  const drawn = draws.count
  texts.textOf('late')
  await Promise.resolve()
  texts.close()
  await pass(0)
  t.equal(draws.count, drawn, 'a page that is closed is not drawn')
})
