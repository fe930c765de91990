/**
 * Cost of durable storage: commits per second with and without group commit, bytes written per turn as a session grows, and the cost of a
 * restore. Run with `node --expose-gc --import tsx bench/storage.ts`.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Address } from '../src/domain/address.js'
import { createSystemClock } from '../src/platform/clock.js'
import type { Logger, StoredRow, WriteToken } from '../src/ports.js'
import { encodeBody } from '../src/storage/record-codec.js'
import type { SqlDatabase } from '../src/storage/sql/database.js'
import { createPlan } from '../src/storage/sql/plan.js'
import { createRecordStore } from '../src/storage/sql/record-store.js'
import { openSqlite } from '../src/storage/sql/sqlite-database.js'
import type { BoundStatement } from '../src/storage/sql/statement.js'
import { createSqlStorage, type SqlStorage } from '../src/storage/sql/storage.js'
import { whyNot } from '../test/support/needs.js'
import { startPostgres } from '../test/support/postgres.js'
import { collectGarbage } from './garbage.js'

const SESSIONS = 64
/** Seconds per measurement of commits; four of them alternate, twice. */
const COMMIT_S = 3
const SIZES = [10, 1_000, 100_000]
const RESTORED = [1_000, 100_000]
/** Turns over which figures of one turn are averaged. */
const TURNS = 50
const FILL_ROWS = 5_000
const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }
const clock = createSystemClock()

interface Place {
  readonly name: string
  readonly url: string
  /** Bytes that the database has written to its log so far. */
  readonly logBytes: () => Promise<number>
}

await main()

async function main(): Promise<void> {
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${process.platform} ${process.arch}`)
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const path = join(folder, 'records.db')
  const places: Place[] = [{ name: 'SQLite', url: `sqlite:${path}`, logBytes: async () => (await stat(`${path}-wal`)).size }]
  const reason = whyNot('initdb')
  if (reason !== null) console.log(reason)
  const server = reason === null ? await startPostgres() : null
  try {
    if (server !== null) {
      const url = await server.createDatabase()
      const logBytes = async () =>
        Number((await server.run(url, `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as n`))[0]?.['n'])
      places.push({ name: 'PostgreSQL', url, logBytes })
    }
    for (const place of places) await benchCommits(place)
    for (const place of places) await benchSizes(place)
    await benchStatements(path)
  } finally {
    await server?.stop()
    await rm(folder, { recursive: true })
  }
}

async function benchCommits(place: Place): Promise<void> {
  const rates = { alone: 0, grouped: 0 }
  for (let round = 0; round < 2; round++) {
    for (const [mode, batchMax] of [
      ['alone', 1],
      ['grouped', 128]
    ] as const) {
      const storage = await createSqlStorage({ url: place.url, clock, logger: SILENT, batchMax })
      rates[mode] += (await commitsOf(storage, `${mode} ${round}`)) / 2
      await storage.close()
    }
  }
  const ratio = (rates.grouped / rates.alone).toFixed(1)
  console.log(
    `${place.name}, ${SESSIONS} sessions at once: one commit a transaction ${rates.alone.toFixed(0)}/s, grouped ${rates.grouped.toFixed(0)}/s, × ${ratio}`
  )
}

async function commitsOf(storage: SqlStorage, name: string): Promise<number> {
  const sessions = Array.from({ length: SESSIONS }, (_, n) => at(`${name} ${n}`))
  const tokens = await Promise.all(sessions.map((address) => created(storage, address)))
  const endMs = performance.now() + COMMIT_S * 1_000
  let commits = 0
  await Promise.all(
    sessions.map(async (address, n) => {
      let token = tokens[n] as WriteToken
      for (let turn = 0; performance.now() < endMs; turn++) {
        token = await storage.commit(address, token, turnOf(turn))
        commits += 1
      }
    })
  )
  return commits / COMMIT_S
}

async function benchSizes(place: Place): Promise<void> {
  for (const size of SIZES) {
    const storage = await createSqlStorage({ url: place.url, clock, logger: SILENT })
    const address = at(`filled ${size}`)
    let token = await created(storage, address)
    for (let from = 0; from < size; from += FILL_ROWS) {
      const put = Array.from({ length: Math.min(FILL_ROWS, size - from) }, (_, n) => memory(from + n))
      token = await storage.commit(address, token, { head: head(0), put, remove: [] })
    }
    // Empties the log, so that its growth is what the turns write.
    await storage.purge()
    const before = await place.logBytes()
    const startMs = performance.now()
    for (let turn = 0; turn < TURNS; turn++) token = await storage.commit(address, token, turnOf(size + turn))
    const turnMs = (performance.now() - startMs) / TURNS
    const logBytes = ((await place.logBytes()) - before) / TURNS
    console.log(`${place.name}, a turn at ${size} memories: ${turnMs.toFixed(2)} ms, ${(logBytes / 1024).toFixed(1)} KB of log`)
    if (RESTORED.includes(size)) await benchActivation(place, storage, address)
    await storage.close()
  }
}

/** Both databases use the same statements. */
async function benchStatements(path: string): Promise<void> {
  const sent: BoundStatement[] = []
  const store = createRecordStore(listening(openSqlite(path), sent), createPlan('sqlite'))
  for (const size of SIZES) {
    const address = at(`filled ${size}`)
    const token = await store.find(address)
    if (token === null) throw new Error('The record is absent')
    const turn = turnOf(size + TURNS)
    const put = turn.put.map(({ collection, id, body }) => ({ collection, id, body: encodeBody(body) }))
    sent.length = 0
    await store.write([
      {
        action: 'commit',
        address,
        token,
        changes: { head: encodeBody(turn.head), put, remove: [], clear: false, audit: [], wakes: false, bytes: 0 }
      }
    ])
    const bytes = sent
      .flatMap(({ parameters }) => parameters)
      .reduce<number>((sum, value) => sum + (value instanceof Uint8Array ? value.byteLength : 8), 0)
    console.log(
      `A turn at ${size} memories: ${sent.length} statements between begin and commit, ${bytes} bytes (${sent.map(({ name }) => name).join(', ')})`
    )
  }
  await store.close()
}

function listening(database: SqlDatabase, sent: BoundStatement[]): SqlDatabase {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((connection) =>
        work({
          run: (bound) => {
            sent.push(bound)
            return connection.run(bound)
          }
        })
      )
  }
}

async function benchActivation(place: Place, storage: SqlStorage, address: Address): Promise<void> {
  await collectGarbage()
  const before = held()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let peak = 0
  const sampler = setInterval(() => {
    peak = Math.max(peak, held())
  }, 5)
  delay.enable()
  const startMs = performance.now()
  const record = await storage.activate(address)
  const ms = performance.now() - startMs
  delay.disable()
  clearInterval(sampler)
  await collectGarbage()
  const kept = held() - before
  const rows = record?.rows.length ?? 0
  console.log(
    `${place.name}, activation of ${rows} memories: ${ms.toFixed(0)} ms, ${(kept / 2 ** 20).toFixed(0)} MB kept, ` +
      `${(Math.max(0, peak - before) / 2 ** 20).toFixed(0)} MB at most, event loop held up ${(delay.max / 1e6).toFixed(0)} ms at most`
  )
}

/** Bytes of the heap, and of buffers outside of it. */
function held(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

async function created(storage: SqlStorage, address: Address): Promise<WriteToken> {
  const token = await storage.create(address, { head: head(0), put: [], remove: [] })
  if (token === null) throw new Error('The record exists already')
  return token
}

function at(id: string): Address {
  return { kind: 'session', subject: 'bench', id }
}

/** A turn: the head, a question and its answer. */
function turnOf(n: number) {
  return { head: head(n), put: [memory(2 * n), memory(2 * n + 1)], remove: [] }
}

function head(n: number): unknown {
  return {
    turn: n,
    settings: { dimension: 384, model: 'lexical' },
    counters: [n, n, n],
    recent: Array.from({ length: 10 }, (_, k) => `memory ${n - k}`)
  }
}

function memory(n: number): StoredRow {
  const text = `Memory ${n}: the parcel leaves the depot on Tuesday, and the driver rings before noon.`
  return {
    collection: 'memory',
    id: `memory-${n}`,
    body: { seq: n, role: 'user', text, vector: Float32Array.from({ length: 384 }, (_, k) => Math.sin(n + k)) }
  }
}
