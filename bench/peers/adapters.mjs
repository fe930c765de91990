/**
 * Each peer as one thing: it takes texts with their vectors, and answers a query of both. What does not combine vectors and words itself
 * is fused by reciprocal ranks (Cormack et al., SIGIR 2009). Packages are loaded here and nowhere else, one peer at a time.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TOP = 20
const RANK_CONSTANT = 60

export const PEERS = {
  'LangChain MemoryVectorStore': openLangChain,
  'hnswlib and MiniSearch': openHnswAndMiniSearch,
  'sqlite-vec and FTS5': openSqlite,
  Orama: openOrama,
  vectra: openVectra,
  'mem0, its vector store': openMem0
}

async function openLangChain() {
  const { MemoryVectorStore } = await import('@langchain/classic/vectorstores/memory')
  const store = new MemoryVectorStore({ embedQuery: async () => [], embedDocuments: async () => [] })
  return {
    add: (items) =>
      store.addVectors(
        items.map(({ vector }) => vector),
        items.map(({ text }) => ({ pageContent: text, metadata: {} }))
      ),
    query: ({ vector }) => store.similaritySearchVectorWithScore(vector, TOP),
    close: async () => {}
  }
}

/** Vectors alone. `ef`: how many it keeps in sight while it searches. */
export async function openHnsw(dimension, count, ef) {
  const { HierarchicalNSW } = (await import('hnswlib-node')).default
  const vectors = new HierarchicalNSW('cosine', dimension)
  vectors.initIndex(count, 16, 200)
  vectors.setEf(ef)
  return vectors
}

async function openHnswAndMiniSearch(dimension, count) {
  const vectors = await openHnsw(dimension, count, 100)
  const { default: MiniSearch } = await import('minisearch')
  const words = new MiniSearch({ fields: ['text'] })
  return {
    async add(items) {
      for (const [id, { vector, text }] of items.entries()) {
        vectors.addPoint(vector, id)
        words.add({ id, text })
      }
    },
    async query({ vector, text }) {
      const found = words.search(text).slice(0, TOP)
      return fused(
        vectors.searchKnn(vector, TOP).neighbors,
        found.map(({ id }) => id)
      )
    },
    close: async () => {}
  }
}

async function openSqlite(dimension) {
  const { default: Database } = await import('better-sqlite3')
  const { load } = await import('sqlite-vec')
  const database = new Database(':memory:')
  load(database)
  database.exec(`create virtual table vectors using vec0(vector float[${dimension}]); create virtual table words using fts5(text)`)
  const addVector = database.prepare('insert into vectors (rowid, vector) values (?, ?)')
  const addText = database.prepare('insert into words (rowid, text) values (?, ?)')
  const near = database.prepare(`select rowid as id from vectors where vector match ? and k = ${TOP}`)
  const alike = database.prepare(`select rowid as id from words where words match ? order by rank limit ${TOP}`)
  return {
    async add(items) {
      database.transaction(() => {
        for (const [id, { vector, text }] of items.entries()) {
          addVector.run(BigInt(id), Buffer.from(Float32Array.from(vector).buffer))
          addText.run(BigInt(id), text)
        }
      })()
    },
    async query({ vector, text }) {
      const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
      const found = alike.all(words.map((word) => `"${word}"`).join(' OR '))
      return fused(
        near.all(Buffer.from(Float32Array.from(vector).buffer)).map(({ id }) => id),
        found.map(({ id }) => id)
      )
    },
    close: async () => void database.close()
  }
}

async function openOrama(dimension) {
  const { create, insertMultiple, search } = await import('@orama/orama')
  const database = create({ schema: { text: 'string', vector: `vector[${dimension}]` } })
  return {
    add: (items) => insertMultiple(database, items),
    query: async ({ vector, text }) =>
      search(database, { mode: 'hybrid', term: text, vector: { value: vector, property: 'vector' }, similarity: 0, limit: TOP }),
    close: async () => {}
  }
}

async function openVectra() {
  const { LocalIndex } = await import('vectra')
  const folder = await mkdtemp(join(tmpdir(), 'bench-vectra-'))
  const index = new LocalIndex(folder)
  await index.createIndex()
  return {
    async add(items) {
      await index.beginUpdate()
      for (const { vector, text } of items) await index.insertItem({ vector, metadata: { text } })
      await index.endUpdate()
    },
    query: ({ vector, text }) => index.queryItems(vector, text, TOP),
    close: () => rm(folder, { recursive: true })
  }
}

async function openMem0(dimension) {
  const { MemoryVectorStore } = await import('mem0ai/oss')
  const store = new MemoryVectorStore({ collectionName: 'bench', dimension, dbPath: ':memory:' })
  await store.initialize()
  return {
    add: (items) =>
      store.insert(
        items.map(({ vector }) => vector),
        items.map((_, at) => String(at)),
        items.map(({ text }) => ({ data: text }))
      ),
    query: ({ vector }) => store.search(vector, TOP),
    close: async () => {}
  }
}

function fused(first, second) {
  const scores = new Map()
  for (const list of [first, second])
    for (const [rank, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (RANK_CONSTANT + rank + 1))
  return [...scores].sort((a, b) => b[1] - a[1]).slice(0, TOP)
}
