/**
 * A minimal stand-in for a one-node MongoDB replica set, where none can be installed. The real driver connects to it over a real socket. It
 * implements the commands that the storage uses, applies transactions atomically (see `mongo-store.ts`), repeats the answer to a retried
 * write, and survives being killed with all committed data. It checks no unique index except `_id`, and proves nothing about disks,
 * elections or majorities.
 */
import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import { BSON, Long } from 'mongodb'
import { arranged, createMongoStore, MongoRefusal, nextBatch, type StoreTransaction, updated } from './mongo-store.js'
import { createWireServer, type WireDocument } from './mongo-wire.js'

export interface MongoStandIn {
  readonly url: string
  /** Cuts the connection at the next command of that name, before it is carried out or instead of its answer. */
  cutNext(command: string, when: 'before' | 'after'): void
  /** Number of commands carried out, by name. */
  readonly counts: ReadonlyMap<string, number>
  /** The same commands, with their read and write concerns. */
  readonly concerns: readonly Concern[]
  /** Changes a document from outside; null deletes it. */
  tamper(collection: string, id: string, change: WireDocument | null): void
  /** Deletes all documents from outside. */
  empty(): void
  /** Whether any document contains these bytes. */
  holds(bytes: Buffer): boolean
  kill(): Promise<void>
  start(): Promise<void>
}

export interface Concern {
  readonly command: string
  readonly write: unknown
  readonly read: unknown
  /** Whether it begins a transaction, whose read concern applies to all of it. */
  readonly isFirst: boolean
}

interface Session {
  readonly number: number
  state: 'open' | 'committed' | 'aborted'
  readonly transaction: StoreTransaction
}

type Command = (command: WireDocument, transaction: StoreTransaction) => WireDocument

/** The storage's collections. */
const COLLECTIONS = ['records', 'rows', 'tombstones', 'audit', 'audit_ends']

/** `isReplicaSet` false: presents itself as a standalone server, without transactions. */
export async function startMongoStandIn({ isReplicaSet = true } = {}): Promise<MongoStandIn> {
  const store = createMongoStore()
  const sessions = new Map<string, Session>()
  const answers = new Map<string, WireDocument>()
  const cursors = new Map<number, WireDocument[]>()
  const sockets = new Set<Socket>()
  const counts = new Map<string, number>()
  const concerns: Concern[] = []
  const cuts: { command: string; when: 'before' | 'after' }[] = []
  let server: Server | undefined
  let port = 0
  let cursorsMade = 0

  const greeting = (): WireDocument => ({
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    ...(isReplicaSet && {
      setName: 'rs0',
      setVersion: 1,
      hosts: [`127.0.0.1:${port}`],
      me: `127.0.0.1:${port}`,
      primary: `127.0.0.1:${port}`
    }),
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: 21
  })
  const cursorReply = (id: number, collection: unknown, batch: WireDocument) => ({
    cursor: { id: Long.fromNumber(id), ns: `test.${String(collection)}`, ...batch }
  })

  /** Commands that change documents, within their own transaction or an implicit one. */
  const writes: Record<string, Command> = {
    insert(command, transaction) {
      const documents = command['documents'] as WireDocument[]
      for (const document of documents) insert(String(command['insert']), document, transaction)
      return { n: documents.length }
    },
    update(command, transaction) {
      const collection = String(command['update'])
      let n = 0
      const upserted: WireDocument[] = []
      for (const [index, { q, u, upsert }] of (command['updates'] as { q: WireDocument; u: WireDocument; upsert?: boolean }[]).entries()) {
        const [document] = store.find(collection, q, transaction)
        if (document !== undefined) store.write(collection, String(document['_id']), updated(document, u), transaction)
        else if (upsert === true) {
          insert(collection, updated({ _id: q['_id'] }, u), transaction)
          upserted.push({ index, _id: q['_id'] })
        }
        if (document !== undefined || upsert === true) n += 1
      }
      return { n, nModified: n - upserted.length, ...(upserted.length > 0 && { upserted }) }
    },
    delete(command, transaction) {
      const collection = String(command['delete'])
      let n = 0
      for (const { q } of command['deletes'] as { q: WireDocument }[]) {
        for (const { _id } of store.find(collection, q, transaction)) {
          store.write(collection, String(_id), null, transaction)
          n += 1
        }
      }
      return { n }
    },
    findAndModify(command, transaction) {
      const collection = String(command['findAndModify'])
      const [document] = store.find(collection, command['query'] as WireDocument, transaction)
      if (document === undefined) return { value: null, lastErrorObject: { n: 0, updatedExisting: false } }
      const changed = updated(document, command['update'] as WireDocument)
      store.write(collection, String(document['_id']), changed, transaction)
      return { value: command['new'] === true ? changed : document, lastErrorObject: { n: 1, updatedExisting: true } }
    }
  }

  function insert(collection: string, document: WireDocument, transaction: StoreTransaction): void {
    if (store.find(collection, { _id: document['_id'] }, transaction).length > 0) throw new MongoRefusal(11_000, 'DuplicateKey')
    store.write(collection, String(document['_id']), document, transaction)
  }

  function find(command: WireDocument, transaction: StoreTransaction | null): WireDocument {
    const found = arranged(store.find(String(command['find']), (command['filter'] as WireDocument | undefined) ?? {}, transaction), command)
    const firstBatch = nextBatch(found, Number(command['batchSize'] ?? 101))
    if (found.length === 0 || command['singleBatch'] === true) return cursorReply(0, command['find'], { firstBatch })
    cursors.set(++cursorsMade, found)
    return cursorReply(cursorsMade, command['find'], { firstBatch })
  }

  function getMore(command: WireDocument): WireDocument {
    const id = Number(command['getMore'])
    const left = cursors.get(id)
    if (left === undefined) throw new MongoRefusal(43, 'CursorNotFound')
    const batch = nextBatch(left, Number(command['batchSize'] ?? Infinity))
    if (left.length === 0) cursors.delete(id)
    return cursorReply(left.length === 0 ? 0 : id, command['collection'], { nextBatch: batch })
  }

  function sessionOf(command: WireDocument): Session {
    const key = JSON.stringify(command['lsid'])
    const number = Number(command['txnNumber'])
    if (command['startTransaction'] === true) {
      const before = sessions.get(key)
      if (before?.state === 'open') store.abort(before.transaction)
      sessions.set(key, { number, state: 'open', transaction: store.begin() })
    }
    const session = sessions.get(key)
    if (session?.number !== number) throw new MongoRefusal(251, 'NoSuchTransaction', true)
    return session
  }

  function inTransaction(name: string, command: WireDocument): WireDocument {
    const session = sessionOf(command)
    if (name === 'commitTransaction' && session.state === 'committed') return {}
    if (session.state !== 'open') throw new MongoRefusal(251, 'NoSuchTransaction', true)
    if (name === 'commitTransaction' || name === 'abortTransaction') {
      store[name === 'commitTransaction' ? 'commit' : 'abort'](session.transaction)
      session.state = name === 'commitTransaction' ? 'committed' : 'aborted'
      return {}
    }
    try {
      return name === 'find' ? find(command, session.transaction) : known(name)(command, session.transaction)
    } catch (error) {
      store.abort(session.transaction)
      session.state = 'aborted'
      throw error
    }
  }

  /** A single write waits for the holder of its documents, and gets the same answer when it is retried. */
  async function alone(name: string, command: WireDocument): Promise<WireDocument> {
    const key = JSON.stringify([command['lsid'], command['txnNumber']])
    const before = command['txnNumber'] === undefined ? undefined : answers.get(key)
    if (before !== undefined) return before
    for (;;) {
      const transaction = store.begin()
      try {
        const answer = known(name)(command, transaction)
        store.commit(transaction)
        if (command['txnNumber'] !== undefined) answers.set(key, answer)
        return answer
      } catch (error) {
        store.abort(transaction)
        if (!(error instanceof MongoRefusal) || error.codeName !== 'WriteConflict') throw error
        await store.nextEnd()
      }
    }
  }

  function known(name: string): Command {
    const command = writes[name]
    if (command === undefined) throw new MongoRefusal(59, 'CommandNotFound')
    return command
  }

  async function carryOut(name: string, command: WireDocument): Promise<WireDocument> {
    if (/^(hello|ismaster)$/i.test(name)) return greeting()
    if (/^(ping|endSessions|killCursors|createIndexes)$/.test(name)) return {}
    if (name === 'getMore') return getMore(command)
    if (command['autocommit'] === false) return inTransaction(name, command)
    return name === 'find' ? find(command, null) : alone(name, command)
  }

  async function answer(command: WireDocument): Promise<WireDocument | undefined> {
    const name = Object.keys(command)[0] ?? ''
    const cut = cuts.findIndex((one) => one.command === name)
    const when = cut < 0 ? undefined : cuts.splice(cut, 1)[0]?.when
    if (when === 'before') return undefined
    counts.set(name, (counts.get(name) ?? 0) + 1)
    const { writeConcern: write, readConcern: read, startTransaction } = command
    concerns.push({ command: name, write, read, isFirst: startTransaction === true })
    try {
      const result = await carryOut(name, command)
      return when === 'after' ? undefined : { ...result, ok: 1 }
    } catch (error) {
      if (!(error instanceof MongoRefusal)) throw error
      const labels = error.isTransient && command['autocommit'] === false ? { errorLabels: ['TransientTransactionError'] } : {}
      return { ok: 0, errmsg: error.codeName, code: error.code, codeName: error.codeName, ...labels }
    }
  }

  const standIn: MongoStandIn = {
    get url() {
      return `mongodb://127.0.0.1:${port}/test`
    },
    cutNext: (command, when) => void cuts.push({ command, when }),
    counts,
    concerns,
    tamper(collection, id, change) {
      const transaction = store.begin()
      const [document] = store.find(collection, { _id: id }, transaction)
      store.write(collection, id, change === null ? null : { ...document, ...change }, transaction)
      store.commit(transaction)
    },
    empty() {
      const transaction = store.begin()
      for (const name of COLLECTIONS)
        for (const { _id } of store.find(name, {}, transaction)) store.write(name, String(_id), null, transaction)
      store.commit(transaction)
    },
    holds: (bytes) =>
      COLLECTIONS.flatMap((name) => store.find(name, {}, null)).some((document) => Buffer.from(BSON.serialize(document)).includes(bytes)),
    async kill() {
      const running = server
      server = undefined
      if (running === undefined) return
      const closed = once(running, 'close')
      running.close()
      for (const socket of sockets) socket.destroy()
      await closed
      for (const session of sessions.values()) {
        if (session.state !== 'open') continue
        store.abort(session.transaction)
        session.state = 'aborted'
      }
      cursors.clear()
    },
    async start() {
      server = createWireServer(answer, sockets).listen(port, '127.0.0.1')
      await once(server, 'listening')
      port = (server.address() as AddressInfo).port
    }
  }
  await standIn.start()
  return standIn
}
