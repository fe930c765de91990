import t, { type Test } from 'tap'
import { toSubjectName } from '../../src/storage/mongo/documents.js'
import { createMongoStorage, type MongoStorage } from '../../src/storage/mongo/storage.js'
import { startMongoServer } from '../support/mongo-server.js'
import { type MongoStandIn, startMongoStandIn } from '../support/mongo-stand-in.js'
import { activated, at, codeOf, created, entry, headed, row, SUBJECT, writeOnce } from './contract-cases.js'
import { storageContract } from './contract.js'

/** How many times the server is killed under writes; long runs set more. */
const KILLS = Number(process.env['TEST_KILLS'] ?? 5)

const real = await startMongoServer()
t.comment(`MongoDB: ${real === null ? 'no MONGO_URL and no mongod here, so only the stand-in' : `${real.origin}, and the stand-in`}`)

if (real !== null) {
  t.teardown(() => real.stop())
  storageContract('mongo', {
    async open() {
      const url = real.newDatabase()
      const open = () => createMongoStorage({ url })
      return { storage: await open(), other: await open(), ...(real.restart !== undefined && { restartServer: real.restart }) }
    }
  })
}

storageContract('mongo stand-in', {
  async open() {
    const server = await startMongoStandIn()
    const open = () => createMongoStorage({ url: server.url })
    return {
      storage: await open(),
      other: await open(),
      async restartServer() {
        await server.kill()
        await server.start()
      },
      empty: async () => server.empty(),
      stop: () => server.kill()
    }
  }
})

t.test('mongo: a server outside of a replica set is refused', async (t) => {
  const server = await startMongoStandIn({ isReplicaSet: false })
  t.teardown(() => server.kill())
  await t.rejects(createMongoStorage({ url: server.url }), {
    code: 'storage_unavailable',
    message: /not in a replica set; one node is enough/
  })
})

t.test('mongo: an address that is none is refused without quoting it', async (t) => {
  await t.rejects(createMongoStorage({ url: 'secret@nowhere' }), { code: 'storage_unavailable', message: /^The address is not like/ })
})

t.test('mongo: a commit is in the journal of a majority, and no read is older than what it has to prove', async (t) => {
  const { server, storage } = await ready(t)
  await writeOnce(storage, 'a', 1)
  await writeOnce(storage, 'a', 2)
  const commits = server.concerns.filter(({ command }) => command === 'commitTransaction')
  t.equal(commits.length, 3)
  for (const { write } of commits) t.match(write, { w: 'majority', j: true })
  const begun = server.concerns.filter(({ isFirst }) => isFirst)
  t.equal(begun.length, commits.length)
  for (const { read } of begun) t.match(read, { level: 'snapshot' }, 'record and rows are of one moment')

  const record = await activated(storage, at('a'))
  const since = server.concerns.length
  t.equal(await storage.verify(at('a'), record.token), true)
  t.same(
    server.concerns.slice(since).map(({ command, read }) => ({ command, read })),
    [{ command: 'find', read: { level: 'linearizable' } }],
    'a primary that was deposed cannot confirm it'
  )
  t.ok(await storage.peek(at('a')))
  t.same(server.concerns.at(-1)?.read, { level: 'majority' })
})

t.test('mongo: a commit whose answer is lost is asked for again and happens once', async (t) => {
  const { server, storage } = await ready(t)
  const token = await created(storage, at('a'))
  server.cutNext('commitTransaction', 'after')
  const next = await storage.commit(at('a'), token, { ...headed({ n: 1 }, [row('r', 1)]), audit: [entry(1)] })
  t.same(next, { epoch: token.epoch, version: 2 })
  t.match(await activated(storage, at('a')), { token: { version: 2 }, head: { n: 1 }, rows: [row('r', 1)] })
  t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 1 })
})

t.test('mongo: a commit whose outcome stays unknown is no success and no refusal', async (t) => {
  const { server, storage } = await ready(t)
  const token = await created(storage, at('a'))
  for (const when of ['after', 'before'] as const) server.cutNext('commitTransaction', when)
  t.equal(await codeOf(storage.commit(at('a'), token, headed({ n: 1 }))), 'storage_unavailable')
  t.match(await activated(storage, at('a')), { token: { version: 2 }, head: { n: 1 } }, 'this one had happened')
})

t.test('mongo: a connection cut inside a transaction leaves nothing of the attempt and the next one succeeds', async (t) => {
  const { server, storage } = await ready(t)
  const token = await created(storage, at('a'), headed({ n: 0 }, [row('r', 0)]))
  for (const when of ['before', 'after'] as const) server.cutNext('update', when)
  const commits = server.counts.get('commitTransaction') ?? 0
  const next = await storage.commit(at('a'), token, headed({ n: 1 }, [row('r', 1)]))
  t.equal(server.counts.get('commitTransaction'), commits + 1)
  t.match(await activated(storage, at('a')), { token: { version: next.version }, head: { n: 1 }, rows: [row('r', 1)] })
})

t.test('mongo: an activation whose answer is lost raises the epoch once', async (t) => {
  const { server, storage } = await ready(t)
  const { epoch } = await created(storage, at('a'))
  server.cutNext('findAndModify', 'after')
  t.same((await activated(storage, at('a'))).token, { epoch: epoch + 1, version: 1 })
})

t.test('mongo: a body over the limit of a document is refused before anything is written', async (t) => {
  const { server, storage } = await ready(t)
  const token = await created(storage, at('a'), headed({ n: 0 }))
  const commands = total(server)
  const large = new Uint8Array(16 * 1024 * 1024)
  t.equal(await codeOf(storage.commit(at('a'), token, headed({ n: 1 }, [row('r', { large })]))), 'limit_reached')
  t.equal(await codeOf(storage.commit(at('a'), token, headed({ large }))), 'limit_reached')
  t.equal(total(server), commands)
  t.equal(await storage.verify(at('a'), token), true)
})

t.test('mongo: sessions of one subject that write audit entries at once share one whole chain', async (t) => {
  const { server, storage } = await ready(t)
  const other = await createMongoStorage({ url: server.url })
  t.teardown(() => other.close())
  const writers = Array.from({ length: 24 }, async (_, n) => {
    const mine = n % 2 === 0 ? storage : other
    const token = await created(mine, at(`s${n}`), { ...headed({}), audit: [entry(n)] })
    await mine.commit(at(`s${n}`), token, { ...headed({}), audit: [entry(n), entry(n)] })
    t.equal(await codeOf(mine.commit(at(`s${n}`), token, { ...headed({}), audit: [entry(n)] })), 'fenced')
  })
  await Promise.all(writers)
  t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 72 })
})

t.test('mongo: an audit trail that was changed, cut or emptied does not verify', async (t) => {
  const cases: [name: string, tamper: (server: MongoStandIn, name: string) => void, found: object][] = [
    ['whole', () => undefined, { isIntact: true, entries: 3 }],
    ['changed', (server, name) => server.tamper('audit', `${name}:2`, { entry: '{}' }), { seq: 2, problem: 'changed' }],
    ['linked otherwise', (server, name) => server.tamper('audit', `${name}:2`, { previous_hash: '0' }), { seq: 2, problem: 'unlinked' }],
    ['missing within', (server, name) => server.tamper('audit', `${name}:2`, null), { seq: 2, problem: 'missing' }],
    ['missing at the end', (server, name) => server.tamper('audit', `${name}:3`, null), { seq: 3, problem: 'missing' }],
    ['without its end', (server, name) => server.tamper('audit_ends', name, null), { seq: 1, problem: 'unlinked' }]
  ]
  for (const [name, tamper, found] of cases) {
    const { server, storage } = await ready(t)
    await created(storage, at('a'), { ...headed({}), audit: [entry(1), entry(2), entry(3)] })
    await created(storage, at('a', 'other'), { ...headed({}), audit: [entry(1)] })
    tamper(server, toSubjectName(SUBJECT))
    t.match(await storage.verifyAudit(SUBJECT), found, name)
    t.same(await storage.verifyAudit('other'), { isIntact: true, entries: 1 })
    t.same(await storage.verifyAudit('nobody'), { isIntact: true, entries: 0 })
    const all: Record<string, object> = {}
    for await (const { trail, verdict } of storage.verifyAudits()) all[trail] = verdict
    t.strictSame(all, {
      [toSubjectName('other')]: { isIntact: true, entries: 1 },
      [toSubjectName(SUBJECT)]: await storage.verifyAudit(SUBJECT)
    })
  }
})

t.test('mongo: a server killed again and again under writes loses and doubles nothing acknowledged', async (t) => {
  const { server, storage } = await ready(t)
  const acknowledged = new Map<string, number[]>()
  let isOver = false
  const count = () => [...acknowledged.values()].reduce((sum, { length }) => sum + length, 0)
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const written: number[] = []
    acknowledged.set(`w${writer}`, written)
    for (let n = 0; !isOver; n++)
      await writeOnce(storage, `w${writer}`, n).then(
        () => written.push(n),
        () => yieldToEventLoop()
      )
  })
  for (let round = 0; round < KILLS; round++) {
    for (const before = count(); count() < before + 30;) await yieldToEventLoop()
    await server.kill()
    await server.start()
  }
  isOver = true
  await Promise.all(writers)
  let audited = 0
  for (const [id, written] of acknowledged) {
    const record = await activated(storage, at(id))
    const found = record.rows.map(({ body }) => body as number)
    t.same(
      written.filter((n) => !found.includes(n)),
      [],
      `${id}: nothing is lost`
    )
    t.equal(record.token.version, found.length + 1, `${id}: each version has written one row`)
    audited += found.length
  }
  t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: audited }, 'each state has its audit entry')
  t.comment(`${count()} acknowledged writes, ${KILLS} kills`)
})

async function ready(t: Test): Promise<{ server: MongoStandIn; storage: MongoStorage }> {
  const server = await startMongoStandIn()
  const storage = await createMongoStorage({ url: server.url })
  t.teardown(async () => {
    await storage.close()
    await server.kill()
  })
  return { server, storage }
}

function total({ counts }: MongoStandIn): number {
  return [...counts].reduce((sum, [name, count]) => sum + (/^(hello|ismaster)$/i.test(name) ? 0 : count), 0)
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
