/** Contract: a forbidden write changes nothing, and an allowed one changes only its own record. */
import type { Address } from '../../src/domain/address.js'
import type { ActorStorage, AuditEntry, WriteToken } from '../../src/ports.js'
import { activated, at as addressOf, type Cases, codeOf, created, headed, names, row } from './contract-cases.js'
import { waking, walked } from './contract-wakes.js'

/** Used by these cases only, because some storages keep audit trails for ever. */
const SUBJECT = 'guarded'

const at = (id: string, subject = SUBJECT) => addressOf(id, subject)

const ENTRY: AuditEntry = { action: 'run', userId: 'u', sessionId: 'a', requestId: 'r', timestamp: 1, digest: 'd'.repeat(64), size: 1 }

/** Tokens that differ from this one in epoch, version or both. */
function besides({ epoch, version }: WriteToken): WriteToken[] {
  return [
    { epoch: epoch + 1, version },
    { epoch: epoch - 1, version },
    { epoch, version: version + 1 },
    { epoch, version: version - 1 },
    { epoch: epoch + 1, version: version - 1 },
    { epoch: version, version: epoch }
  ]
}

/** Number of entries in the subject's audit trail; null for a storage that keeps none. */
async function entriesOf(storage: ActorStorage): Promise<number | null> {
  if (!('verifyAudit' in storage)) return null
  const verdict = await (storage as ActorStorage & { verifyAudit(subject: string): Promise<{ entries?: number }> }).verifyAudit(SUBJECT)
  return verdict.entries ?? -1
}

/** Removes a record in an epoch other than the first. Returns that epoch. */
async function removed(storage: ActorStorage, address: Address): Promise<number> {
  await created(storage, address)
  await activated(storage, address)
  const { token } = await activated(storage, address)
  await storage.remove(address, token, [row('1', 'left', 'request')])
  return token.epoch
}

export const guards: Cases = {
  'a token that is only beside the right one, later ones too, neither verifies nor writes nor removes': async (t, { storage }) => {
    const first = await created(storage, at('a'), { ...waking({ n: 0 }), put: [row('r', 0)] })
    await storage.commit(at('a'), first, { ...waking({ n: 1 }), audit: [ENTRY] })
    await activated(storage, at('a'))
    await activated(storage, at('a'))
    const { token } = await activated(storage, at('a'))
    t.not(token.epoch, token.version)
    const before = await entriesOf(storage)
    for (const beside of besides(token)) {
      const name = JSON.stringify(beside)
      t.equal(await storage.verify(at('a'), beside), false, name)
      const changes = { ...headed({ n: 9 }, [row('s', 9)]), remove: [{ collection: 'memories', id: 'r' }], audit: [ENTRY] }
      t.equal(await codeOf(storage.commit(at('a'), beside, changes)), 'fenced', name)
      t.equal(await codeOf(storage.commit(at('a'), beside, { ...changes, put: [], remove: [], clear: true })), 'fenced', name)
      t.equal(await codeOf(storage.remove(at('a'), beside, [row('1', 1)])), 'fenced', name)
    }
    t.equal(await entriesOf(storage), before, 'what was fenced left no entry')
    t.equal(await storage.verify(at('a'), token), true)
    t.same(await walked(storage), await walked(storage, 1))
    t.equal((await walked(storage)).length, 1)
    t.same(await storage.list({ kind: 'session', subject: SUBJECT, limit: 10 }), ['a'])
    const record = await activated(storage, at('a'))
    t.same([record.head, names(record.rows), record.token.version], [{ n: 1 }, ['memories/r'], token.version])
  },
  'a create that comes second leaves the rows, the version and the trail of the first': async (t, { storage, other = storage }) => {
    const token = await created(storage, at('a'), { ...headed({ n: 1 }, [row('r', 1)]), audit: [ENTRY] })
    const before = await entriesOf(storage)
    t.equal(await other.create(at('a'), { ...headed({ n: 2 }, [row('s', 2)]), audit: [ENTRY] }), null)
    t.equal(await entriesOf(storage), before)
    t.equal(await storage.verify(at('a'), token), true)
    t.same(names((await activated(storage, at('a'))).rows), ['memories/r'])
  },
  'a create that names another tombstone than the one that is there makes nothing': async (t, { storage }) => {
    if (!storage.isDurable) {
      t.ok(await storage.create(at('a'), headed({}), 3), 'it keeps none')
      return
    }
    const changes = { ...waking(), put: [row('r', 1)], audit: [ENTRY] }
    const before = await entriesOf(storage)
    const epoch = await removed(storage, at('a'))
    for (const named of [0, epoch - 1, epoch + 1]) t.equal(await storage.create(at('a'), changes, named), null, String(named))
    t.equal(await storage.peek(at('a')), null)
    t.equal(await storage.activate(at('a')), null)
    t.same(await walked(storage), [])
    t.same(await storage.list({ kind: 'session', subject: SUBJECT, limit: 10 }), [])
    t.equal(await entriesOf(storage), before)
    t.same(await storage.tombstone(at('a')), { epoch, rows: [row('1', 'left', 'request')] }, 'it stays as it was')
    t.equal((await storage.create(at('a'), changes, epoch))?.epoch, epoch + 1)
    t.equal(await storage.create(at('a'), changes, epoch), null, 'it is there')
  },
  'a clear and a removal are of one record': async (t, { storage }) => {
    const rows = [row('1', 1), row('2', 2)]
    const cluster = { ...at('a'), kind: 'cluster' } as const
    const neighbours = [at('b'), at('a', 'another'), cluster]
    for (const address of neighbours) await created(storage, address, { ...waking({ of: 'neighbour' }), put: rows })
    let token = await created(storage, at('a'), { ...waking(), put: rows })
    token = await storage.commit(at('a'), token, { ...waking(), remove: [{ collection: 'memories', id: '1' }] })
    token = await storage.commit(at('a'), token, { ...waking(), clear: true })
    await storage.remove(at('a'), token)
    for (const address of neighbours) {
      t.not(await storage.peek(address), null)
      t.same(await storage.peek(address), { head: { of: 'neighbour' } })
      t.equal(await storage.tombstone(address), null)
      t.same(names((await activated(storage, address)).rows), names(rows))
    }
    t.equal((await walked(storage)).length, neighbours.length)
  },
  'the epoch goes on by one with each life, and the version begins anew or goes on': async (t, { storage, other = storage }) => {
    const first = await created(storage, at('a'))
    t.ok(first.epoch > 0 && Number.isSafeInteger(first.epoch))
    const second = await storage.commit(at('a'), (await activated(other, at('a'))).token, headed({}))
    t.same(second, { epoch: first.epoch + 1, version: first.version + 1 })
    await storage.remove(at('a'), second)
    const third = await created(other, at('a'))
    t.equal(third.epoch, first.epoch + 2)
    t.equal(await storage.verify(at('a'), third), true)
    t.equal((await activated(storage, at('a'))).token.version, third.version)
  },
  'a listing is of one kind, goes on after an id that is gone, and of none at all is empty': async (t, { storage }) => {
    for (const id of ['a', 'b', 'c']) await created(storage, at(id))
    await created(storage, { ...at('d'), kind: 'cluster' })
    const query = { kind: 'session', subject: SUBJECT } as const
    t.same(await storage.list({ ...query, limit: 0 }), [])
    t.same(await storage.list({ ...query, limit: 3 }), ['a', 'b', 'c'])
    t.same(await storage.list({ ...query, limit: 4 }), ['a', 'b', 'c'])
    t.same(await storage.list({ ...query, kind: 'cluster', limit: 10 }), ['d'])
    t.same(await storage.list({ ...query, kind: 'region', limit: 10 }), [])
    await storage.remove(at('b'), (await activated(storage, at('b'))).token)
    t.same(await storage.list({ ...query, after: '', limit: 10 }), ['a', 'c'])
    t.same(await storage.list({ ...query, after: 'b', limit: 10 }), ['c'])
    t.same(await storage.list({ ...query, after: 'c', limit: 10 }), [])
  },
  'a walk whose last page is full ends, and gives each record once while nobody writes': async (t, { storage }) => {
    for (const id of ['d', 'c', 'b', 'a']) await created(storage, at(id), waking())
    for (const limit of [1, 2, 3, 4, 5]) {
      const found: string[] = []
      let after: string | undefined
      for (let pages = 0; ; pages++) {
        if (pages > 1_000) throw new Error('The walk has no end')
        const page = await storage.reminders({ limit, ...(after !== undefined && { after }) })
        found.push(...page.addresses.map(({ id }) => id))
        if (page.next === null) break
        after = page.next
      }
      t.same(found.sort(), ['a', 'b', 'c', 'd'], `${String(limit)} a page`)
    }
  }
}
