/**
 * One query among many memories: through the whole service over HTTP, which also embeds it, and in process with alternatives, which get its
 * vector. Alternating, so that other load on the machine affects all alike. All are measured while they are busy: the first queries after a
 * pause also wake the service's process.
 */
import { createLexicalEmbedder } from '../../src/embedders/lexical.js'
import { type Figure, type Findings, figureOf, type MeasureOptions } from '../figures.js'
import { fillSessions, sendLoad } from '../load.js'
import { type Item, loadPeers, type OpenPeer, type Peer } from '../peers.js'
import { type ServiceProcess, startServed } from '../service-process.js'
import { textOf } from '../texts.js'
import { costOf } from './run.js'

const SIZES = [1_000, 10_000]
const ROUNDS = 7
/** Distinct queries, all of which the service is asked in each round. */
const QUERIES = 400
/** Milliseconds of a round of an alternative, and its fewest queries. */
const ROUND_MS = 300
const QUERIES_MIN = 5
/** Connections to the service, like many clients; in-process alternatives are asked sequentially. */
const CONNECTIONS = 8
/** Warm-up milliseconds, during which functions are still being compiled. */
const WARMING_MS = 3_000
const EFFORT = { rounds: ROUNDS, roundMs: ROUND_MS, warmingMs: WARMING_MS }
const DIMENSION = 384

export async function measurePeers({ isShort }: MeasureOptions): Promise<Findings> {
  const peers = isShort ? {} : (await loadPeers()).PEERS
  const figures: Figure[] = []
  const notes = new Set<string>()
  for (const size of isShort ? [20] : SIZES) {
    const found = await measureSize(size, peers, isShort ? { rounds: 1, roundMs: 0, warmingMs: 0 } : EFFORT)
    figures.push(...found.figures)
    for (const note of found.notes) notes.add(note)
  }
  return { figures, notes: [...notes] }
}

interface Effort {
  readonly rounds: number
  readonly roundMs: number
  readonly warmingMs: number
}

async function measureSize(size: number, peers: Readonly<Record<string, OpenPeer>>, { rounds, roundMs, warmingMs }: Effort) {
  const served = await startServed()
  await fillSessions(served.url, { name: 's', sessions: 1, memories: size })
  const [items, queries] = await Promise.all([itemsOf(0, size), itemsOf(1_000_000, roundMs === 0 ? QUERIES_MIN : QUERIES)])
  const opened = new Map<string, Peer>()
  const notes: string[] = []
  for (const [name, open] of Object.entries(peers)) {
    try {
      const peer = await open(DIMENSION, size)
      // Copied, because one of them removes the vectors from its input.
      await peer.add(items.map((item) => ({ ...item })))
      await askFor(warmingMs, peer, queries)
      opened.set(name, peer)
    } catch (error) {
      notes.push(`${name} was not run: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`)
    }
  }
  const startMs = performance.now()
  do await search(served, queries)
  while (performance.now() - startMs < warmingMs)
  const samples = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++) {
    keep(samples, 'the service', (await costOf(served, () => search(served, queries))) / queries.length)
    for (const [name, peer] of opened) {
      const before = process.cpuUsage()
      const asked = await askFor(roundMs, peer, queries)
      const { user, system } = process.cpuUsage(before)
      keep(samples, name, (user + system) / 1_000 / asked)
    }
  }
  await served.close()
  for (const peer of opened.values()) await peer.close()
  const at = `${size.toLocaleString('en')} memories`
  return { figures: [...samples].map(([name, own]) => figureOf(`one query at ${at}: ${name}`, 'ms', own)), notes }
}

async function itemsOf(from: number, count: number): Promise<Item[]> {
  const texts = Array.from({ length: count }, (_, at) => textOf(from + at))
  const vectors = await createLexicalEmbedder().embed(texts, { dimension: DIMENSION })
  return texts.map((text, at) => ({ text, vector: [...(vectors[at] ?? [])] }))
}

function search(served: ServiceProcess, queries: readonly Item[]): Promise<unknown> {
  return sendLoad({
    ...{ url: served.url, path: '/v1/session/s0/search', connections: CONNECTIONS, requests: queries.length },
    bodyOf: (at) => ({ query: queries[at]?.text, top_k: 20 })
  })
}

/** Asks one query after another for this many milliseconds, and QUERIES_MIN at least. Returns how many. */
async function askFor(ms: number, peer: Peer, queries: readonly Item[]): Promise<number> {
  const startMs = performance.now()
  let asked = 0
  while (asked < QUERIES_MIN || performance.now() - startMs < ms) await peer.query(queries[asked++ % queries.length] as Item)
  return asked
}

function keep(samples: Map<string, number[]>, name: string, sample: number): void {
  samples.set(name, [...(samples.get(name) ?? []), sample])
}
