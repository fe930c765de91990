import t from 'tap'
import { isLivable, type LifeEntry } from './life-model.js'

type Told = readonly [kind: LifeEntry['kind'], from: number, to: number, outcome?: LifeEntry['outcome'], tokens?: readonly string[]]

const life = (...told: Told[]) =>
  isLivable(told.map(([kind, invoked, ended, outcome = 'ok', tokens = []]) => ({ kind, invoked, ended, outcome, tokens })))

t.test('a session that passes: calls that fit an order', async (t) => {
  t.ok(life())
  t.ok(
    life(
      ['delete', 0, 1, 'missing'],
      ['create', 2, 3],
      ['create', 4, 5, 'there'],
      ['append', 6, 7, 'ok', ['a']],
      ['check', 8, 9, 'ok', ['a']]
    )
  )
  t.ok(life(['create', 0, 1], ['append', 2, 9, 'ok', ['a']], ['append', 2, 9, 'ok', ['b']], ['check', 3, 4, 'ok', ['b']]))
  t.ok(
    life(['create', 0, 1], ['delete', 2, 3, 'unknown'], ['check', 4, 5], ['check', 6, 7, 'missing']),
    'an unknown call takes effect late'
  )
  t.ok(life(['create', 0, 1], ['delete', 2, 3, 'unknown'], ['check', 4, 5], ['check', 6, 7]), 'or never')
})

t.test('a session that passes: calls that fit none', async (t) => {
  t.notOk(life(['check', 0, 1, 'ok']), 'read before it was made')
  t.notOk(life(['create', 0, 1], ['create', 2, 3]), 'made twice')
  t.notOk(life(['create', 0, 1], ['delete', 2, 3], ['check', 4, 5]), 'read after its end')
  t.notOk(life(['create', 0, 1], ['append', 2, 3, 'ok', ['a']], ['check', 4, 5]), 'an acknowledged text is lost')
  t.notOk(life(['create', 0, 1], ['append', 2, 3, 'ok', ['a']], ['check', 4, 5, 'ok', ['a', 'a']]), 'a text is there twice')
  t.notOk(life(['create', 0, 1], ['delete', 2, 3], ['create', 4, 5], ['check', 6, 7, 'missing']), 'deleted once more by nobody')
})
