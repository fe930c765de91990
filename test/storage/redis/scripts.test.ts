/** What each guard of a write is for: with it the harm does not happen, and taken out of the script it does. */
import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import type { AuditEntry } from '../../../src/ports.js'
import { connectRedis, type RedisConnection } from '../../../src/storage/redis/connection.js'
import { COMMIT, type Script } from '../../../src/storage/redis/scripts.js'
import { type RedisStorage, redisStorageOver } from '../../../src/storage/redis/storage.js'
import { allNeed } from '../../support/needs.js'
import { startRedis } from '../../support/redis-server.js'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js'
import { activated, at, codeOf, created, headed, SUBJECT } from '../contract-cases.js'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

type Change = (connection: RedisConnection) => RedisConnection

const unchanged: Change = (connection) => connection

/** The storage, over a line that can be cut. */
async function open(t: Test, change: Change): Promise<{ storage: RedisStorage; proxy: TcpProxy; url: string }> {
  const server = await startRedis()
  t.teardown(() => server.stop())
  const proxy = await startTcpProxy(server)
  t.teardown(() => proxy.stop())
  const connection = await connectRedis({ url: `redis://127.0.0.1:${proxy.port}`, logger: SILENT, prepare: async () => undefined })
  t.teardown(() => connection.close())
  return { storage: redisStorageOver(change(connection), { logger: SILENT }), proxy, url: server.url }
}

function toScript(source: string): Script {
  return { source, sha1: createHash('sha1').update(source).digest('hex') }
}

/** A commit that does not compare what it was given in this place. */
function without(condition: string): Change {
  const source = COMMIT.source.replace(condition, 'false')
  if (source === COMMIT.source) throw new Error('The script has no such condition')
  const careless = toScript(source)
  return (connection) => ({ ...connection, run: (script, keys, args) => connection.run(script === COMMIT ? careless : script, keys, args) })
}

const BODY = '\nlocal known ='
const APPEND = toScript(`${COMMIT.source.slice(0, COMMIT.source.indexOf(BODY))}\nappend_audit(KEYS[1], KEYS[2], 1)`)

/** Writes the audit trail by a script of its own, after the one with the state. An entry is the last two arguments. */
const auditingLater: Change = (connection) => ({
  ...connection,
  async run(script, keys, args) {
    if (script !== COMMIT) return connection.run(script, keys, args)
    const reply = await connection.run(script, keys, args.slice(0, -2))
    const [entries, end] = [
      keys.find((key) => String(key).endsWith(':audit:entries')),
      keys.find((key) => String(key).endsWith(':audit:end'))
    ]
    await connection.run(APPEND, [entries ?? '', end ?? ''], args.slice(-2))
    return reply
  }
})

function entry(n: number): AuditEntry {
  return { action: 'run', userId: 'u', sessionId: 'a', requestId: `r${n}`, timestamp: n, digest: '', size: 0 }
}

/** A writer that was overtaken by an activation commits: what became of it, and the head. */
async function overtaken({ storage }: { readonly storage: RedisStorage }) {
  const token = await created(storage, at('a'), headed(0))
  await activated(storage, at('a'))
  return { outcome: await codeOf(storage.commit(at('a'), token, headed(9))), ...(await storage.peek(at('a'))) }
}

/** A writer commits twice on one token. */
async function repeated({ storage }: { readonly storage: RedisStorage }) {
  const token = await created(storage, at('a'), headed(0))
  await storage.commit(at('a'), token, headed(0))
  return { outcome: await codeOf(storage.commit(at('a'), token, headed(9))), ...(await storage.peek(at('a'))) }
}

/** The connection breaks when the server has carried out the first request of a commit. */
async function cutOff(t: Test, change: Change) {
  const { storage, proxy, url } = await open(t, change)
  let token = await created(storage, at('a'), headed(0))
  // The server learns the scripts.
  token = await storage.commit(at('a'), token, { ...headed(1), audit: [entry(1)] })
  const cut = proxy.breakNext(Buffer.from(COMMIT.sha1), 'cut after')
  const [outcome] = await Promise.all([codeOf(storage.commit(at('a'), token, { ...headed(9), audit: [entry(2)] })), cut])
  const afterwards = redisStorageOver(await connectRedis({ url, logger: SILENT, prepare: async () => undefined }), { logger: SILENT })
  t.teardown(() => afterwards.close())
  return { outcome, ...(await afterwards.peek(at('a'))), trail: await afterwards.verifyAudit(SUBJECT) }
}

allNeed(t, 'redis-server')
t.test('a late writer that the epoch condition holds up gets through without it', async (t) => {
  t.same(await overtaken(await open(t, unchanged)), { outcome: 'fenced', head: 0 })
  t.same(await overtaken(await open(t, without('known[1] ~= ARGV[1]'))), { outcome: 'fulfilled', head: 9 })
})

t.test('a repeated commit that the version condition holds up gets through without it', async (t) => {
  t.same(await repeated(await open(t, unchanged)), { outcome: 'fenced', head: 0 })
  t.same(await repeated(await open(t, without('known[2] ~= ARGV[2]'))), { outcome: 'fulfilled', head: 9 })
})

t.test('a state whose writer is cut off has its audit entry, and stays alone without the shared script', async (t) => {
  const outcome = 'storage_unavailable'
  t.same(await cutOff(t, unchanged), { outcome, head: 9, trail: { isIntact: true, entries: 2 } })
  t.same(await cutOff(t, auditingLater), { outcome, head: 9, trail: { isIntact: true, entries: 1 } })
})
