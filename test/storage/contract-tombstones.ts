/** Contract: what a removed record leaves, and that nobody creates it again without knowing of that. */
import { activated, at, type Cases, created, headed, ODD_STRINGS, row } from './contract-cases.js'

const LEFT = [row('1', { by: 'r1' }, 'request'), row('2', { by: 'r2' }, 'request')]

export const tombstones: Cases = {
  'a record that is there, or never was, has no tombstone': async (t, { storage }) => {
    t.equal(await storage.tombstone(at('a')), null)
    await created(storage, at('a'))
    t.equal(await storage.tombstone(at('a')), null)
  },
  'a removed record leaves the rows of its removal and its epoch, to everybody': async (t, { storage, other = storage }) => {
    const token = await created(storage, at('a'), headed({ n: 0 }, [row('r', 0)]))
    await created(storage, at('b'))
    await storage.remove(at('a'), token, LEFT)
    t.same(await other.tombstone(at('a')), storage.isDurable ? { epoch: token.epoch, rows: LEFT } : null)
    t.equal(await other.tombstone(at('b')), null)
    t.equal(await other.tombstone(at('a', 'another subject')), null)
    t.equal(await other.peek(at('a')), null)
    t.same(await other.list({ kind: 'session', subject: 'subject', limit: 10 }), ['b'])
  },
  'a record that was made anew has no row of before and no tombstone until it is removed again': async (t, { storage }) => {
    await storage.remove(at('a'), await created(storage, at('a')), LEFT)
    await created(storage, at('a'))
    t.equal(await storage.tombstone(at('a')), null)
    const { token, rows } = await activated(storage, at('a'))
    t.same(rows, [])
    await storage.remove(at('a'), token)
    t.same(await storage.tombstone(at('a')), storage.isDurable ? { epoch: token.epoch, rows: [] } : null, 'and not that of before')
  },
  'a record is made anew only by a writer that knows its tombstone': async (t, { storage, other = storage }) => {
    if (!storage.isDurable) return void t.pass('it keeps none')
    const first = await storage.create(at('a'), headed({ n: 1 }), 0)
    t.ok(first !== null)
    await storage.remove(at('a'), first ?? { epoch: 0, version: 0 }, LEFT)
    t.equal(await storage.create(at('a'), headed({ n: 2 }), 0), null)
    const epoch = (await storage.tombstone(at('a')))?.epoch ?? 0
    const second = await other.create(at('a'), headed({ n: 3 }), epoch)
    t.ok(second !== null)
    await other.remove(at('a'), second ?? { epoch: 0, version: 0 })
    t.equal(await storage.create(at('a'), headed({ n: 4 }), epoch), null, 'it was there in between')
    t.equal(await storage.peek(at('a')), null)
  },
  'of racing makers that know a tombstone one wins': async (t, { storage, other = storage }) => {
    if (!storage.isDurable) return void t.pass('it keeps none')
    await storage.remove(at('a'), await created(storage, at('a')), LEFT)
    const epoch = (await storage.tombstone(at('a')))?.epoch ?? 0
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? storage : other).create(at('a'), headed({ n }), epoch))
    )
    t.equal(made.filter((token) => token !== null).length, 1)
  },
  'a removal that is fenced leaves no tombstone': async (t, { storage }) => {
    const stale = await created(storage, at('a'))
    await activated(storage, at('a'))
    await t.rejects(storage.remove(at('a'), stale, LEFT), { code: 'fenced' })
    t.equal(await storage.tombstone(at('a')), null)
  },
  'young tombstones stay when they are cleared': async (t, { storage }) => {
    await storage.remove(at('a'), await created(storage, at('a')), LEFT)
    await storage.sweep()
    t.same((await storage.tombstone(at('a')))?.rows ?? LEFT, LEFT)
  },
  'tombstones of odd names are apart': async (t, { storage }) => {
    if (!storage.isDurable) return void t.pass('it keeps none')
    for (const odd of ODD_STRINGS) await storage.remove(at(odd, odd), await created(storage, at(odd, odd)), [row(odd, odd)])
    for (const odd of ODD_STRINGS) t.same((await storage.tombstone(at(odd, odd)))?.rows, [row(odd, odd)])
  }
}
