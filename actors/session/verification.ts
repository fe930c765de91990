/**
 * Verification of a session: compares the answers of sessions, not their bytes. Runs in pieces before the step, on each session as it was
 * at the start.
 */
import type { ControlReplies, Probe, VerifySession } from '../../src/domain/commands/control-commands.js'
import { addTo } from '../../src/domain/collections/by-key.js'
import { DomainError } from '../../src/domain/errors.js'
import type { Pieces } from '../../src/domain/pieces.js'
import { similarity } from '../../src/domain/similarity/vector.js'
import { plus, times, type Weight } from '../../src/domain/fairness/weight.js'
import { retrieve } from '../../src/retrieval/pipeline.js'
import type { RetrievalQuery } from '../../src/retrieval/query.js'
import type { Room } from '../weight/room.js'
import { sessionQuery } from './recall/query.js'
import { readDocument, refuseForeign } from './record/document-reader.js'
import { documentOf, type SessionDocument, throughText } from './record/document.js'
import { toUnitVectors } from './record/embedding.js'
import { restoreAside } from './record/restore.js'
import type { SessionState } from './record/state.js'
import { documentWeight, weighDerived } from './record/weight.js'
import type { SessionServices } from './record/work.js'
import { stateVector } from './semantic-state/folds.js'

/** Number of hits compared for each test embedding: as many as a context block could show. */
const PROBED_HITS = 10

/** Session under verification, and the time. */
interface Asked {
  readonly state: SessionState
  /** Epoch seconds. */
  readonly now: number
  readonly services: Pick<SessionServices, 'monotonicMs' | 'createVectorIndex' | 'memoriesMax'>
  /** Memory of the command, which has to hold each copy that is made. */
  readonly room: Room
}

/** Bytes of base64 text per byte of a vector. */
const BASE64_SHARE = 4 / 3

/** Returns the session's answers to test embeddings. */
export function* probes(asked: Asked, testEmbeddings: VerifySession['testEmbeddings']): Pieces<readonly Probe[]> {
  const { state } = asked
  const beginning = beginningOf(state)
  const vectors = yield* toUnitVectors(testEmbeddings, state.head.settings.dimension, 'test_embeddings')
  return yield* ownProbes(asked, vectors, beginning)
}

/** Compares the session with its reference: another session's probes, a given export, or its own export restored aside. */
export function* verification(
  asked: Asked,
  command: VerifySession,
  reference: readonly Probe[] | null
): Pieces<ControlReplies['session.verify']> {
  const { state } = asked
  const beginning = beginningOf(state)
  const vectors = yield* toUnitVectors(command.testEmbeddings, state.head.settings.dimension, 'test_embeddings')
  const own = yield* ownProbes(asked, vectors, beginning)
  const theirs = reference ?? (yield* probesAside(asked, vectors, yield* referenceDocument(asked, command, beginning.document)))
  const deviations = own.map((probe, at) => deviation(probe, theirs[at]))
  const maxDeviation = Math.max(0, ...deviations)
  return { consistent: maxDeviation <= command.tolerance, maxDeviation, tolerance: command.tolerance, checked: own.length }
}

/** Session as it was before the first piece of the work: other commands may run between the pieces. */
interface Beginning {
  readonly revision: number
  readonly document: SessionDocument
}

function beginningOf(state: SessionState): Beginning {
  return { revision: state.revision, document: documentOf(state) }
}

/** Probes the session itself while it does not change; otherwise a copy of it as it was at the start. */
function* ownProbes(asked: Asked, vectors: readonly Float32Array[], { revision, document }: Beginning): Pieces<readonly Probe[]> {
  const { state } = asked
  const probe = yield* createProbe(asked, state)
  const answers = yield* whileHolds(() => state.revision === revision, answersOf(probe, vectors))
  if (answers !== null) return answers
  asked.room.hold(copyWeight(asked))
  return yield* probesAside(asked, vectors, document)
}

/** Runs `work` while the condition holds before each piece. Otherwise ends it, drops its results and returns null. */
function* whileHolds<Result>(holds: () => boolean, work: Pieces<Result>): Pieces<Result | null> {
  for (; holds(); yield) {
    const next = work.next()
    if (next.done === true) return next.value
  }
  work.return(undefined as never)
  return null
}

function* answersOf(probe: Prober, vectors: readonly Float32Array[]): Pieces<readonly Probe[]> {
  const answers: Probe[] = []
  for (const vector of vectors) {
    answers.push(yield* probe(vector))
    yield
  }
  return answers
}

function* probesAside(asked: Asked, vectors: readonly Float32Array[], document: SessionDocument): Pieces<readonly Probe[]> {
  const aside = yield* restoreAside(asked.state.address, document, asked.services)
  try {
    return yield* answersOf(yield* createProbe(asked, aside), vectors)
  } finally {
    aside.corpus.close()
  }
}

/** Returns the document to compare with: the given one, or the session's own export, converted through text as a client's copy would be. */
function* referenceDocument(asked: Asked, { stateDict }: VerifySession, own: SessionDocument): Pieces<SessionDocument> {
  const { state, services } = asked
  if (stateDict === undefined) asked.room.hold(exportWeight(asked))
  const document = yield* readDocument(stateDict ?? (yield* throughText(own)), services.memoriesMax)
  refuseForeign(document, state.head.settings)
  if (stateDict !== undefined) asked.room.hold(yield* documentWeight(document))
  return document
}

/** Weight of a copy of the session: its rows and its indexes. */
function copyWeight({ room, state }: Asked): Weight {
  return plus(room.replaced, weighDerived(state))
}

/**
 * Weight of a copy of the session and of its export as values, with vectors as base64. Half of the session's vector bytes belong to the
 * index, and are not exported.
 */
function exportWeight(asked: Asked): Weight {
  const copy = copyWeight(asked)
  return plus(times(copy, 2), { heap: Math.ceil((BASE64_SHARE * copy.buffers) / 2), buffers: 0 })
}

type Prober = (vector: Float32Array) => Pieces<Probe>

function* createProbe({ now, services }: Asked, state: SessionState): Pieces<Prober> {
  const center = stateVector(state)
  const query: RetrievalQuery = { ...(yield* sessionQuery({ state, now, services }, { limit: PROBED_HITS })), steerings: new Map() }
  return function* (vector) {
    const { hits } = yield* retrieve(state.corpus, { ...query, vector })
    return {
      stateSimilarity: center === null ? 0 : similarity(center, vector),
      hits: hits.map((hit) => ({ memoryHash: hit.entry.memory.hash, score: hit.score }))
    }
  }
}

/** Returns the largest difference between two answers. A hit that only one of them has counts with its whole score. */
function deviation(a: Probe, b: Probe | undefined): number {
  if (b === undefined) throw new DomainError('internal', 'The reference answered fewer test embeddings')
  // Several memories may have the same text, and so the same hash: their hits are paired best first.
  const theirs = new Map<string, number[]>()
  for (const { memoryHash, score } of b.hits) addTo(theirs, memoryHash, score)
  let worst = Math.abs(a.stateSimilarity - b.stateSimilarity)
  for (const { memoryHash, score } of a.hits) worst = Math.max(worst, Math.abs(score - (theirs.get(memoryHash)?.shift() ?? 0)))
  return Math.max(worst, ...[...theirs.values()].flat().map(Math.abs))
}
