/**
 * Nearest vectors by the service's search and by an approximate index: the cost of a search and of an addition, and the recall of the
 * approximate one. For texts, and for random vectors, which have no near neighbours.
 */
import { inOneGo } from '../../src/domain/pieces.js'
import { normalised } from '../../src/domain/similarity/vector.js'
import { createLexicalEmbedder } from '../../src/embedders/lexical.js'
import { createExactIndexes } from '../../src/vectors/exact-index.js'
import { type Figure, type Findings, figureOf, type MeasureOptions } from '../figures.js'
import { loadPeers, type Peers } from '../peers.js'
import { createRandom } from '../quality/statistics.js'
import { textOf } from '../texts.js'

const SIZES = [1_000, 10_000, 50_000]
/** Adding more random vectors to an approximate index takes minutes. */
const RANDOM_MAX = 10_000
const DIMENSION = 384
const QUERIES = 50
const ROUNDS = 5
/** Rounds that are not counted, until the code is compiled. */
const WARM_ROUNDS = 20
const SEED = 1
/** Neighbours that a run asks for. */
const LIMIT = 100
/** Neighbours for which the recall is computed. */
const COUNTED = 10
/** Candidates that the approximate index keeps during a search. */
const EF = 200

export async function measureNeighbours({ isShort }: MeasureOptions): Promise<Findings> {
  const peers = isShort ? null : await loadPeers()
  const figures: Figure[] = []
  for (const size of isShort ? [20] : SIZES) {
    const count = size.toLocaleString('en')
    figures.push(...(await measureSize(`${count} vectors of texts`, await ofTexts(size + QUERIES), peers)))
    if (size <= RANDOM_MAX) figures.push(...(await measureSize(`${count} random vectors`, atRandom(size + QUERIES), peers)))
  }
  return { figures, notes: peers === null ? ['hnswlib was not run'] : [] }
}

function ofTexts(count: number): Promise<Float32Array[]> {
  const texts = Array.from({ length: count }, (_, at) => textOf(at))
  return createLexicalEmbedder().embed(texts, { dimension: DIMENSION })
}

function atRandom(count: number): Float32Array[] {
  const random = createRandom(SEED)
  return Array.from({ length: count }, () => normalised(Float32Array.from({ length: DIMENSION }, () => random() - 0.5)))
}

/** The last vectors serve as queries. */
async function measureSize(among: string, vectors: readonly Float32Array[], peers: Peers | null): Promise<Figure[]> {
  const held = vectors.slice(0, -QUERIES)
  const queries = vectors.slice(-QUERIES)
  const exact = createExactIndexes()(DIMENSION)
  const nearest = (query: Float32Array): number[] => inOneGo(exact.search(query, LIMIT)).map(({ label }) => label)
  const figures = [
    figureOf(`one vector more, to ${among}: exact`, 'ms', [costOfEach(held, (vector, at) => exact.add(at, vector))]),
    figureOf(`the nearest of ${among}: exact`, 'ms', rounds(queries, nearest))
  ]
  if (peers !== null) {
    const approximate = await peers.openHnsw(DIMENSION, held.length, EF)
    // It accepts only lists, which are created outside of the measurement.
    const lists = held.map((vector) => [...vector])
    const asked = new Map(queries.map((query) => [query, [...query]]))
    const found = (query: Float32Array): readonly number[] => approximate.searchKnn(asked.get(query) ?? [], LIMIT).neighbors
    figures.push(
      figureOf(`one vector more, to ${among}: hnswlib`, 'ms', [costOfEach(lists, (list, at) => approximate.addPoint(list, at))]),
      figureOf(`the nearest of ${among}: hnswlib`, 'ms', rounds(queries, found)),
      figureOf(
        `of the ten nearest of ${among}, found by hnswlib`,
        '×',
        queries.map((query) => shareFound(nearest(query).slice(0, COUNTED), new Set(found(query))))
      )
    )
  }
  exact.close()
  return figures
}

function rounds(queries: readonly Float32Array[], search: (query: Float32Array) => unknown): number[] {
  for (let round = 0; round < WARM_ROUNDS; round++) costOfEach(queries, search)
  return Array.from({ length: ROUNDS }, () => costOfEach(queries, search))
}

/** Processor milliseconds per item. */
function costOfEach<Item>(items: readonly Item[], work: (item: Item, at: number) => unknown): number {
  const before = process.cpuUsage()
  for (const [at, item] of items.entries()) work(item, at)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / items.length
}

function shareFound(wanted: readonly number[], found: ReadonlySet<number>): number {
  return wanted.filter((label) => found.has(label)).length / wanted.length
}
