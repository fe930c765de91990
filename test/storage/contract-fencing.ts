/** Contract: who may write, and who may not. */
import { HEADS_MAX } from '../../src/domain/limits.js'
import { activated, at, type Cases, codeOf, created, headed, names, ODD_STRINGS, row, SUBJECT } from './contract-cases.js'

export const fencing: Cases = {
  'a head that is looked at is as last committed and keeps its writer': async (t, { storage }) => {
    t.equal(await storage.peek(at('a')), null)
    const token = await created(storage, at('a'), headed({ n: 1 }, [row('1', 1)]))
    t.same(await storage.peek(at('a')), { head: { n: 1 } })
    const next = await storage.commit(at('a'), token, headed({ n: 2 }))
    t.same(await storage.peek(at('a')), { head: { n: 2 } })
    await storage.remove(at('a'), next)
    t.equal(await storage.peek(at('a')), null)
  },
  'heads that are looked at together are each their own, and of one subject and kind': async (t, { storage, other = storage }) => {
    const ids = [...ODD_STRINGS, 'a\0', '\ud800', ...Array.from({ length: HEADS_MAX - 24 }, (_, n) => `n${n}`)]
    await Promise.all(ids.map((id, n) => created(storage, at(id), headed({ n }))))
    await created(storage, at('theirs', 'bob'), headed({}))
    await created(storage, { ...at('theirs'), kind: 'cluster' }, headed({}))
    await storage.remove(at('gone'), await created(storage, at('gone'), headed({})))
    const of = { kind: 'session', subject: SUBJECT } as const
    const asked = ['gone', 'theirs', ...ids]
    t.equal(asked.length, HEADS_MAX)
    const found = await other.heads({ ...of, ids: asked })
    t.same(found, new Map(ids.map((id, n) => [id, { n }])))
    t.same(await other.heads({ ...of, ids: ['never'] }), new Map())
    t.same(await other.heads({ ...of, ids: [] }), new Map())
  },
  'a record that does not exist is null when it is activated': async (t, { storage }) => {
    t.equal(await storage.activate(at('a')), null)
    t.equal(await storage.peek(at('a')), null)
  },
  'a record, created twice, is made once': async (t, { storage }) => {
    t.ok(await storage.create(at('a'), headed({ n: 1 })))
    t.equal(await storage.create(at('a'), headed({ n: 2 })), null)
    t.same((await activated(storage, at('a'))).head, { n: 1 })
    t.not(await storage.peek(at('a')), null)
  },
  'of two racing creates one wins': async (t, { storage, other = storage }) => {
    const tokens = await Promise.all(
      Array.from({ length: 16 }, (_, n) => (n % 2 === 0 ? storage : other).create(at('a'), headed({ n }, [row('r', n)])))
    )
    t.equal(tokens.filter((token) => token !== null).length, 1)
    const winner = tokens.findIndex((token) => token !== null)
    const record = await activated(storage, at('a'))
    t.same(record.head, { n: winner })
    t.same(
      record.rows.map(({ body }) => body),
      [winner]
    )
  },
  'a commit with the token of a create is accepted': async (t, { storage }) => {
    const first = await created(storage, at('a'))
    const second = await storage.commit(at('a'), first, headed({ n: 1 }))
    t.equal(second.epoch, first.epoch)
    t.equal(second.version, first.version + 1)
    t.same((await activated(storage, at('a'))).head, { n: 1 })
  },
  'an activation raises the epoch and keeps the version': async (t, { storage }) => {
    const first = await created(storage, at('a'))
    const { token } = await activated(storage, at('a'))
    t.same(token, { epoch: first.epoch + 1, version: first.version })
  },
  'of racing activations each gets an epoch of its own, and the last may write': async (t, { storage, other = storage }) => {
    await created(storage, at('a'))
    const records = await Promise.all(Array.from({ length: 8 }, (_, n) => activated(n % 2 === 0 ? storage : other, at('a'))))
    const epochs = records.map(({ token }) => token.epoch)
    t.equal(new Set(epochs).size, 8)
    for (const { token } of records) {
      const isLast = token.epoch === Math.max(...epochs)
      t.equal(await codeOf(storage.commit(at('a'), token, headed({ n: token.epoch }))), isLast ? 'fulfilled' : 'fenced')
    }
    t.same((await activated(storage, at('a'))).head, { n: Math.max(...epochs) })
  },
  'a commit by a writer of an earlier epoch is fenced and changes nothing': async (t, { storage, other = storage }) => {
    const stale = await created(storage, at('a'), headed({ n: 0 }, [row('r', 0)]))
    await activated(other, at('a'))
    t.equal(await codeOf(storage.commit(at('a'), stale, { ...headed({ n: 1 }, [row('s', 1)]), clear: true })), 'fenced')
    const record = await activated(storage, at('a'))
    t.same(record.head, { n: 0 })
    t.same(names(record.rows), ['memories/r'])
  },
  'a commit by a writer of an earlier version is fenced': async (t, { storage }) => {
    const stale = await created(storage, at('a'))
    await storage.commit(at('a'), stale, headed({ n: 1 }))
    t.equal(await codeOf(storage.commit(at('a'), stale, headed({ n: 2 }))), 'fenced')
    t.same((await activated(storage, at('a'))).head, { n: 1 })
  },
  'of racing commits on one token one wins': async (t, { storage, other = storage }) => {
    const token = await created(storage, at('a'))
    const codes = await Promise.all(
      Array.from({ length: 16 }, (_, n) => codeOf((n % 2 === 0 ? storage : other).commit(at('a'), token, headed({ n }, [row(`r${n}`, n)]))))
    )
    t.equal(codes.filter((code) => code === 'fulfilled').length, 1)
    t.equal(codes.filter((code) => code === 'fenced').length, 15)
    const record = await activated(storage, at('a'))
    const winner = codes.indexOf('fulfilled')
    t.same(record.head, { n: winner })
    t.same(names(record.rows), [`memories/r${winner}`])
  },
  'a commit to a record that never was is fenced': async (t, { storage }) => {
    t.equal(await codeOf(storage.commit(at('a'), { epoch: 1, version: 1 }, headed({}))), 'fenced')
    t.equal(await storage.peek(at('a')), null)
  },
  'a removed record, written to by a late writer, stays removed': async (t, { storage }) => {
    const first = await created(storage, at('a'), headed({ n: 0 }, [row('r', 0)]))
    await storage.remove(at('a'), first)
    t.equal(await storage.peek(at('a')), null)
    t.equal(await storage.activate(at('a')), null)
    t.equal(await codeOf(storage.commit(at('a'), first, headed({ n: 1 }))), 'fenced')
    t.equal(await codeOf(storage.remove(at('a'), first)), 'fenced')
    t.equal(await storage.peek(at('a')), null)
  },
  'a record made again after its removal is new and fences all earlier writers': async (t, { storage }) => {
    const first = await created(storage, at('a'), headed({ n: 0 }, [row('r', 0)]))
    const second = (await activated(storage, at('a'))).token
    await storage.remove(at('a'), second)
    const third = await created(storage, at('a'), headed({ n: 3 }))
    t.ok(third.epoch > second.epoch, 'the epoch goes on')
    t.equal(await codeOf(storage.commit(at('a'), first, headed({ n: 1 }))), 'fenced')
    t.equal(await codeOf(storage.commit(at('a'), second, headed({ n: 2 }))), 'fenced')
    const record = await activated(storage, at('a'))
    t.same(record.head, { n: 3 })
    t.same(record.rows, [])
  },
  'a removal with a stale token is fenced': async (t, { storage }) => {
    const stale = await created(storage, at('a'))
    await activated(storage, at('a'))
    t.equal(await codeOf(storage.remove(at('a'), stale)), 'fenced')
    t.not(await storage.peek(at('a')), null)
  },
  'a verified token holds until somebody else activates, writes or removes': async (t, { storage, other = storage }) => {
    const first = await created(storage, at('a'))
    t.equal(await other.verify(at('a'), first), true)
    const second = await storage.commit(at('a'), first, headed({}))
    t.same([await other.verify(at('a'), first), await other.verify(at('a'), second)], [false, true])
    const third = (await activated(other, at('a'))).token
    t.same([await storage.verify(at('a'), second), await storage.verify(at('a'), third)], [false, true])
    await storage.remove(at('a'), third)
    t.equal(await storage.verify(at('a'), third), false)
    t.equal(await storage.verify(at('b'), third), false)
  },
  'a release is kept when durable and drops the record otherwise': async (t, { storage }) => {
    const first = await created(storage, at('a'), headed({ n: 1 }))
    await storage.release(at('a'), first)
    t.equal((await storage.peek(at('a'))) !== null, storage.isDurable)
    if (storage.isDurable) t.same((await activated(storage, at('a'))).head, { n: 1 })
    else t.ok((await created(storage, at('a'))).epoch > first.epoch, 'the epoch goes on')
  },
  'a release by a stale owner leaves the record to its new owner': async (t, { storage, other = storage }) => {
    const stale = await created(storage, at('a'))
    const { token } = await activated(other, at('a'))
    await codeOf(storage.release(at('a'), stale))
    t.equal(await storage.verify(at('a'), token), true)
  }
}
