/** Contract: which records have reminders, and that a walk finds them all. */
import { type Address, addressKey } from '../../src/domain/address.js'
import type { ActorStorage, RecordChanges } from '../../src/ports.js'
import { activated, at, type Cases, codeOf, created, headed, ODD_STRINGS, row, SUBJECT } from './contract-cases.js'

/** Most pages of a walk, more than any case needs, so that an endless walk fails. */
const PAGES_MAX = 1_000

export function waking(head: unknown = {}): RecordChanges {
  return { ...headed(head), wakes: true }
}

/** What a whole walk finds, sorted, without duplicates. `meanwhile` runs after every page. */
export async function walked(
  storage: ActorStorage,
  limit = 100,
  meanwhile: (page: number) => Promise<unknown> = async () => undefined
): Promise<string[]> {
  const found = new Set<string>()
  let page = await storage.reminders({ limit })
  for (let pages = 1; ; pages++) {
    if (page.addresses.length > limit) throw new Error('A page has more than was asked for')
    for (const address of page.addresses) found.add(addressKey(address))
    if (page.next === null) return [...found].sort()
    if (pages === PAGES_MAX) throw new Error('The walk has no end')
    await meanwhile(pages)
    page = await storage.reminders({ after: page.next, limit })
  }
}

function keys(...addresses: Address[]): string[] {
  return addresses.map(addressKey).sort()
}

export const wakes: Cases = {
  'a storage without any record has none that wants to be woken': async (t, { storage }) => {
    t.same(await storage.reminders({ limit: 10 }), { addresses: [], next: null })
  },
  'a record wants to be woken as its last write says': async (t, { storage, other = storage }) => {
    let token = await created(storage, at('a'))
    t.same(await walked(other), [])
    token = await storage.commit(at('a'), token, waking())
    t.same(await walked(other), keys(at('a')))
    token = await storage.commit(at('a'), token, waking())
    t.same(await walked(other), keys(at('a')))
    token = await storage.commit(at('a'), token, { ...headed({}), wakes: false })
    t.same(await walked(other), [])
    token = await storage.commit(at('a'), token, waking())
    await storage.commit(at('a'), token, headed({}, [row('r', 1)]))
    t.same(await walked(other), [], 'a write that says nothing takes the wish away')
  },
  'a record, created with the wish to be woken, is found until it is removed': async (t, { storage }) => {
    const token = await created(storage, at('a'), waking())
    t.same(await storage.reminders({ limit: 10 }).then(({ addresses }) => addresses), [at('a')])
    await storage.remove(at('a'), token)
    t.same(await walked(storage), [])
    await created(storage, at('a'))
    t.same(await walked(storage), [], 'its next life begins without the wish')
    await storage.remove(at('a'), (await activated(storage, at('a'))).token)
    await created(storage, at('a'), waking())
    t.same(await walked(storage), keys(at('a')))
  },
  'a record taken over or released keeps its wish to be woken': async (t, { storage, other = storage }) => {
    await created(storage, at('a'), waking())
    const { token } = await activated(other, at('a'))
    t.same(await walked(storage), keys(at('a')))
    await other.release(at('a'), token)
    t.same(await walked(storage), storage.isDurable ? keys(at('a')) : [], 'what is not kept cannot be woken')
  },
  'a write that is fenced or comes second changes no wish': async (t, { storage, other = storage }) => {
    const stale = await created(storage, at('a'), waking())
    const staleQuiet = await created(storage, at('b'))
    await activated(other, at('a'))
    await activated(other, at('b'))
    t.equal(await codeOf(storage.commit(at('a'), stale, headed({}))), 'fenced')
    t.equal(await codeOf(storage.remove(at('a'), stale)), 'fenced')
    t.equal(await storage.create(at('a'), headed({})), null)
    t.equal(await codeOf(storage.commit(at('b'), staleQuiet, waking())), 'fenced')
    t.equal(await storage.create(at('b'), waking()), null)
    t.equal(await codeOf(storage.commit(at('c'), stale, waking())), 'fenced')
    t.same(await walked(storage), keys(at('a')))
  },
  'a late writer of a removed record wakes nobody': async (t, { storage }) => {
    const token = await created(storage, at('a'), waking())
    await storage.remove(at('a'), token)
    t.equal(await codeOf(storage.commit(at('a'), token, waking())), 'fenced')
    t.same(await walked(storage), [])
  },
  'addresses of all kinds and subjects, odd ones too, come back as they were': async (t, { storage }) => {
    const kinds = ['session', 'cluster', 'region', 'observer', 'network'] as const
    const odd = [...ODD_STRINGS, '', '\ud800', '\udc00\ud800', '\u0000', '["session","a","b"]', '}:wakeful']
    const addresses = odd.map((name, n): Address => ({ kind: kinds[n % kinds.length] ?? 'session', subject: name, id: name }))
    const joined = [at('b:c', 'a'), at('c', 'a:b'), at('a'), { ...at('a'), kind: 'cluster' } as const]
    for (const address of [...addresses, ...joined]) await created(storage, address, waking())
    for (const address of [...addresses, ...joined]) await created(storage, { ...address, id: `${address.id} quiet` })
    t.same(await walked(storage), keys(...addresses, ...joined))
    t.same(await walked(storage, 3), keys(...addresses, ...joined))
  },
  'a walk in pages beside writers finds each record that wants to be woken all the time': async (t, { storage, other = storage }) => {
    const steady = Array.from({ length: 40 }, (_, n) => at(`steady${n}`, n % 3 === 0 ? SUBJECT : `subject${n}`))
    const tokens = new Map(await Promise.all(steady.map(async (address) => [address, await created(storage, address, waking())] as const)))
    const passing = Array.from({ length: 40 }, (_, n) => at(`passing${n}`, n % 3 === 0 ? SUBJECT : `subject${n}`))
    for (const address of passing.slice(0, 20)) await created(storage, address, waking())
    const found = await walked(storage, 7, async (page) => {
      for (const [n, address] of steady.entries()) {
        const token = tokens.get(address)
        if (n % 5 === page % 5 && token !== undefined) tokens.set(address, await other.commit(address, token, waking({ page })))
      }
      const gone = passing[page * 2]
      const token = gone === undefined ? undefined : (await other.activate(gone))?.token
      if (gone !== undefined && token !== undefined) await other.remove(gone, token)
      const made = passing[20 + page]
      if (made !== undefined) await other.create(made, waking())
    })
    t.same(
      keys(...steady).filter((key) => !found.includes(key)),
      []
    )
  }
}
