import { stat, truncate } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { addressKey } from '../../src/domain/address.js'
import type { Logger } from '../../src/ports.js'
import { createRedisStorage, type RedisStorage } from '../../src/storage/redis/storage.js'
import { allNeed } from '../support/needs.js'
import { auditKeys, isInFiles, logFile, script, verdicts } from '../support/redis-inside.js'
import { askRedis, type RedisServer, startRedis } from '../support/redis-server.js'
import { until } from '../support/until.js'
import { activated, at, codeOf, created, entry, headed, row, SUBJECT, writeOnce } from './contract-cases.js'
import { storageContract } from './contract.js'

/** How many times the server is killed under writes; long runs set more. */
const KILLS = Number(process.env['TEST_KILLS'] ?? 10)

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

allNeed(t, 'redis-server')
cases()

function cases(): void {
  storageContract('redis', {
    async open() {
      const server = await startRedis()
      const open = () => createRedisStorage({ url: server.url, logger: SILENT })
      return {
        storage: await open(),
        other: await open(),
        async restartServer() {
          await server.kill()
          await server.start()
        },
        async empty() {
          await askRedis(server, 'FLUSHALL')
        },
        stop: () => server.stop()
      }
    }
  })

  t.test('redis: a server that evicts keys is refused', async (t) => {
    const server = await opened(t, ['--maxmemory-policy', 'allkeys-lru'])
    await t.rejects(createRedisStorage({ url: server.url, logger: SILENT }), {
      code: 'storage_unavailable',
      message: /maxmemory-policy to noeviction/
    })
  })

  t.test('redis: a server that begins to evict keys fails its check', async (t) => {
    const { server, storage } = await ready(t)
    await askRedis(server, 'CONFIG SET maxmemory-policy volatile-ttl')
    await t.rejects(storage.check(), { code: 'storage_unavailable' })
  })

  t.test('redis: a replica is refused', async (t) => {
    const primary = await opened(t)
    const replica = await opened(t, ['--replicaof', '127.0.0.1', String(primary.port)])
    await t.rejects(createRedisStorage({ url: replica.url, logger: SILENT }), { code: 'storage_unavailable', message: /replica/ })
  })

  t.test('redis: a server that is not there is refused without its address', async (t) => {
    const server = await opened(t)
    await server.kill()
    await t.rejects(createRedisStorage({ url: server.url, logger: SILENT }), {
      code: 'storage_unavailable',
      message: 'The storage does not answer'
    })
  })

  t.test('redis: a server that may lose acknowledged writes is warned about', async (t) => {
    for (const [settings, warnings] of [
      [[], []],
      [['--appendfsync', 'everysec'], [/appendfsync always/]],
      [['--appendonly', 'no'], [/appendonly yes/]],
      [['--rename-command', 'CONFIG', ''], [/appendfsync always/]]
    ] as const) {
      const server = await opened(t, settings)
      const said: string[] = []
      const storage = await createRedisStorage({ url: server.url, logger: { ...SILENT, warn: (_fields, message) => said.push(message) } })
      await storage.close()
      t.match(said, warnings)
      t.equal(said.length, warnings.length)
    }
  })

  t.test('redis: a server out of memory refuses a commit as a whole', async (t) => {
    const { server, storage } = await ready(t)
    const token = await created(storage, at('a'), headed({ n: 0 }, [row('r', 0)]))
    await askRedis(server, 'CONFIG SET maxmemory 1')
    t.equal(
      await codeOf(storage.commit(at('a'), token, { ...headed({ n: 1 }, [row('s', 1)]), clear: true, audit: [entry(1)] })),
      'storage_unavailable'
    )
    t.equal(await storage.verify(at('a'), token), true)
    await t.rejects(storage.check(), { code: 'storage_unavailable', message: 'The storage has no room left' })
    await askRedis(server, 'CONFIG SET maxmemory 0')
    await t.resolves(storage.check())
    t.match(await storage.activate(at('a')), { head: { n: 0 }, rows: [row('r', 0)] })
    t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 0 })
  })

  t.test('redis: what a server out of memory has is read, and removed to make room', async (t) => {
    const { server, storage } = await ready(t)
    await created(storage, at('a'), headed({ n: 0 }, [row('r', 0)]))
    await askRedis(server, 'CONFIG SET maxmemory 1')
    const found = await storage.activate(at('a'))
    t.match(found, { head: { n: 0 }, rows: [row('r', 0)] })
    await storage.remove(at('a'), found?.token ?? { epoch: 0, version: 0 })
    t.equal(await storage.activate(at('a')), null)
  })

  t.test('redis: a server that forgot its scripts is taught again', async (t) => {
    const { server, storage } = await ready(t)
    const token = await created(storage, at('a'))
    await askRedis(server, 'SCRIPT FLUSH')
    t.equal((await storage.commit(at('a'), token, headed({ n: 1 }))).version, 2)
  })

  t.test('redis: an error carries neither the text that was written nor an address', async (t) => {
    const { server, storage } = await ready(t)
    await created(storage, at('a'))
    await askRedis(server, 'CONFIG SET maxmemory 1')
    const error: unknown = await storage.create(at('b'), headed({ text: 'private words' })).catch((error: unknown) => error)
    const told = [error, (error as Error).cause].map((one) => JSON.stringify(one, Object.getOwnPropertyNames(one)))
    t.match(told.join(), /OOM/)
    t.notMatch(told.join(), /private words|127\.0\.0\.1/)
  })

  t.test('redis: a server killed again and again under writes loses and doubles nothing acknowledged', async (t) => {
    const { server, storage } = await ready(t)
    const ids = Array.from({ length: 8 }, (_, n) => `w${n}`)
    const acknowledged = new Map<string, number[]>()
    let isOver = false
    const writers = ids.map(async (id) => {
      const written: number[] = []
      acknowledged.set(id, written)
      for (let n = 0; !isOver; n++)
        await writeOnce(storage, id, n).then(
          () => written.push(n),
          () => yieldToEventLoop()
        )
    })
    for (let round = 0; round < KILLS; round++) {
      const before = total(acknowledged)
      await until(() => total(acknowledged) >= before + 50)
      await server.kill()
      await server.start()
    }
    isOver = true
    await Promise.all(writers)
    await until(async () => (await codeOf(storage.check())) === 'fulfilled')
    let audited = 0
    for (const [id, written] of acknowledged) {
      const record = await storage.activate(at(id))
      const found = (record?.rows ?? []).map(({ body }) => body as number)
      t.same(
        written.filter((n) => !found.includes(n)),
        [],
        `${id}: nothing is lost`
      )
      t.equal(new Set(found).size, found.length, `${id}: nothing is doubled`)
      t.equal(record?.token.version, found.length + 1, `${id}: each version has written one row`)
      audited += found.length
    }
    t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: audited }, 'each state has its audit entry')
    t.comment(`${total(acknowledged)} acknowledged writes, ${KILLS} kills`)
  })

  t.test('redis: a server killed in the middle of writing a script down carries out neither part of it at any later start', async (t) => {
    const { server, storage } = await ready(t)
    const restart = async (): Promise<void> => {
      await server.start()
      await until(async () => (await codeOf(storage.check())) === 'fulfilled')
    }
    const token = await created(storage, at('a'), { ...headed({ n: 0 }), audit: [entry(0)] })
    const log = await logFile(server)
    const { size } = await stat(log)
    await storage.commit(at('a'), token, { ...headed({ n: 1 }, [row('torn', 1)]), audit: [entry(1)] })
    await server.kill()
    // Truncates within a command: at the end of one, Redis itself detects that the script is incomplete.
    await truncate(log, (await stat(log)).size - 20)
    t.ok((await stat(log)).size > size + 100, 'the cut is within the last script')
    await restart()
    const next = await activated(storage, at('a'))
    t.match(next, { token: { version: 1 }, head: { n: 0 } })
    await storage.commit(at('a'), next.token, { ...headed({ n: 2 }, [row('whole', 2)]), audit: [entry(2)] })
    await server.kill()
    await restart()
    const last = await activated(storage, at('a'))
    t.same({ ...last, token: last.token.version }, { token: 2, head: { n: 2 }, rows: [row('whole', 2)] })
    t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 2 })
  })

  t.test('redis: an audit trail that was changed, cut or forged does not verify', async (t) => {
    const { server, storage } = await ready(t)
    let token = await created(storage, at('a'), { ...headed({}), audit: [entry(1), entry(2)] })
    t.equal(await codeOf(storage.commit(at('a'), { ...token, version: 9 }, { ...headed({}), audit: [entry(3)] })), 'fenced')
    t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 2 }, 'what was fenced left no entry')
    token = await storage.commit(at('a'), token, { ...headed({}), audit: [entry(3)] })
    await created(storage, at('a', 'other'), { ...headed({}), audit: [entry(1)] })
    await created(storage, at('b'), { ...headed({}), audit: [entry(4)] })
    t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 4 })
    t.same(await storage.verifyAudit('other'), { isIntact: true, entries: 1 })
    t.same(await storage.verifyAudit('nobody'), { isIntact: true, entries: 0 })
    t.strictSame(
      await verdicts(storage),
      [4, 1].map((count) => ({ isIntact: true, entries: count })),
      'all trails'
    )
    const [entries, other] = await auditKeys(server)
    const line = "local line = redis.call('LINDEX', KEYS[1], 1)"
    await script(server, `${line} redis.call('LSET', KEYS[1], 1, (line:gsub('user2', 'user9')))`, [entries])
    t.match(await storage.verifyAudit(SUBJECT), { isIntact: false, seq: 2, problem: 'changed' })
    await script(server, `${line} redis.call('LSET', KEYS[1], 1, (line:gsub('user9', 'user2')))`, [entries])
    t.match(await storage.verifyAudit(SUBJECT), { isIntact: true })
    await script(server, "redis.call('RPOP', KEYS[1])", [entries])
    t.match(await storage.verifyAudit(SUBJECT), { isIntact: false, seq: 4, problem: 'missing' })
    await script(server, "redis.call('RPUSH', KEYS[1], redis.call('LINDEX', KEYS[2], 0))", [entries, other])
    t.match(await storage.verifyAudit(SUBJECT), { isIntact: false, seq: 4, problem: 'changed' })
    await script(server, "redis.call('DEL', KEYS[1])", [entries.replace('entries', 'end')])
    t.match(await storage.verifyAudit(SUBJECT), { isIntact: false, seq: 1, problem: 'unlinked' })
    t.match(
      (await verdicts(storage)).filter(({ isIntact }) => !isIntact),
      [{ problem: 'unlinked' }]
    )
  })

  t.test('redis: what was removed is in no file after a purge', async (t) => {
    const { server, storage } = await ready(t)
    const token = await created(storage, at('a'), headed({}, [row('r', 'words to be erased')]))
    t.ok(await isInFiles(server.directory, 'words to be erased'))
    await storage.commit(at('a'), token, { head: {}, put: [], remove: [{ collection: 'memories', id: 'r' }] })
    await storage.purge()
    t.notOk(await isInFiles(server.directory, 'words to be erased'))
  })

  t.test('redis: a record of 100,000 rows is read whole while others are served', async (t) => {
    const { server, storage } = await ready(t)
    const vector = Float32Array.from({ length: 384 }, (_, n) => Math.sin(n))
    const many = Array.from({ length: 100_000 }, (_, n) => row(addressKey(at(String(n))), n % 100 === 0 ? { n, vector } : { n }))
    const token = await created(storage, at('a'), headed({}, many.slice(0, 50_000)))
    await storage.commit(at('a'), token, headed({}, many.slice(50_000)))
    await created(storage, at('b'))
    const other = await createRedisStorage({ url: server.url, logger: SILENT })
    t.teardown(() => other.close())
    let isRead = false
    const isOver = () => isRead
    let answered = 0
    const reading = storage.activate(at('a')).finally(() => (isRead = true))
    while (!isOver()) {
      await other.peek(at('b'))
      answered += 1
    }
    const rows = (await reading)?.rows ?? []
    t.equal(new Set(rows.map(({ id }) => id)).size, 100_000)
    t.ok(answered > 20, `${answered} others were answered meanwhile`)
  })
}

async function opened(t: Test, settings: readonly string[] = []): Promise<RedisServer> {
  const server = await startRedis(settings)
  t.teardown(() => server.stop())
  return server
}

async function ready(t: Test): Promise<{ server: RedisServer; storage: RedisStorage }> {
  const server = await startRedis()
  const storage = await createRedisStorage({ url: server.url, logger: SILENT })
  t.teardown(async () => {
    await storage.close()
    await server.stop()
  })
  return { server, storage }
}

function total(acknowledged: ReadonlyMap<string, readonly number[]>): number {
  return [...acknowledged.values()].reduce((sum, written) => sum + written.length, 0)
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
