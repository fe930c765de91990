import t from 'tap'
import { createAttempts } from '../../src/embedders/attempts.js'
import { createLexicalEmbedder } from '../../src/embedders/lexical.js'
import { createModelPool } from '../../src/embedders/model-pool.js'
import { createManualClock } from '../support/embedder-ports.js'

function open() {
  const clock = createManualClock()
  const opened: string[] = []
  const closed: string[] = []
  const pool = createModelPool({
    loadedMax: 3,
    attempt: createAttempts({ clock, failureTtlMs: 1_000 }),
    open: async (modelName) => {
      opened.push(modelName)
      if (modelName === 'missing') throw new Error('missing')
      return { ...createLexicalEmbedder(), modelName, close: async () => void closed.push(modelName) }
    }
  })
  return { clock, pool, opened, closed }
}

t.test('a full model pool lets the least recently used go but not the held one', async (t) => {
  const { pool, opened, closed } = open()
  pool.hold('default')
  for (const name of ['default', 'a', 'b', 'a', 'c', 'd']) t.equal((await pool.get(name)).modelName, name)
  t.same(closed, ['b', 'a'])
  await pool.get('b')
  t.same(opened, ['default', 'a', 'b', 'c', 'd', 'b'])
  await pool.close()
  await pool.close()
  t.same(closed.sort(), ['a', 'b', 'b', 'c', 'd', 'default'])
  await t.rejects(pool.get('a'), { code: 'embedder_unavailable' })
})

t.test('a model pool that is asked twice at once opens once', async (t) => {
  const { pool, opened } = open()
  const [one, two] = await Promise.all([pool.get('a'), pool.get('a')])
  t.equal(one, two)
  t.same(opened, ['a'])
})

t.test('model pool: a model that fails is not tried again before its time', async (t) => {
  const { pool, opened, clock } = open()
  for (let round = 0; round < 3; round++) await t.rejects(pool.get('missing'), { message: 'missing' })
  t.equal(opened.length, 1)
  clock.advance(1_000)
  await t.rejects(pool.get('missing'))
  t.equal(opened.length, 2)
})

t.test('a model pool closed during a load closes what comes of it', async (t) => {
  const { pool, closed } = open()
  const loading = pool.get('a')
  await pool.close()
  await t.rejects(loading, { code: 'embedder_unavailable' })
  t.same(closed, ['a'])
})
