/** Whether two sessions behave alike: not their bytes, but what they answer. */
import type { ControlReplies, Probe, ProbeSession, VerifySession } from '../../../src/domain/control-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { similarity } from '../../../src/domain/semantic-state.js'
import { retrieve } from '../../../src/retrieval/pipeline.js'
import { documentJson, documentOf } from '../document.js'
import { readDocument } from '../document-reader.js'
import { toUnitVectors } from '../embedding.js'
import { stateVector } from '../folds.js'
import { sessionQuery } from '../query.js'
import { restoreAside } from '../restore.js'
import type { SessionState } from '../state.js'
import type { Work } from '../work.js'
import { refuseForeign } from './transfer.js'

/** Hits compared for each test embedding: what a context block could show. */
const PROBED_HITS = 10

/** How the session answers the test embeddings. Changes nothing. */
export function probeSession(work: Work, command: Pick<ProbeSession, 'testEmbeddings'>): ControlReplies['session.probe'] {
  const { state } = work
  const center = stateVector(state)
  const probes = toUnitVectors(command.testEmbeddings, state.head.settings.dimension, 'test_embeddings').map((vector): Probe => {
    const { hits } = retrieve(state.corpus, sessionQuery(work, { vector, limit: PROBED_HITS }))
    return {
      stateSimilarity: center === null ? 0 : similarity(center, vector),
      hits: hits.map((hit) => ({ memoryHash: hit.entry.memory.hash, score: hit.score })),
    }
  })
  return { probes }
}

/** Compares the session with its reference: another session's probes, a given export, or its own export restored aside. */
export function verifySession(work: Work, command: VerifySession): ControlReplies['session.verify'] {
  const own = probeSession(work, command).probes
  const reference = work.prepared.reference ?? asideProbes(work, command)
  const deviations = own.map((probe, at) => deviation(probe, reference[at]))
  const maxDeviation = Math.max(0, ...deviations)
  return { consistent: maxDeviation <= command.tolerance, maxDeviation, tolerance: command.tolerance, checked: own.length }
}

function asideProbes(work: Work, command: VerifySession): readonly Probe[] {
  const { state, services } = work
  // Its own export takes the whole way through text, as one that a client kept would.
  const stateDict = command.stateDict ?? (JSON.parse([...documentJson(documentOf(state))].join('')) as unknown)
  const document = readDocument(stateDict, services.memoriesMax)
  refuseForeign(document, state.head.settings)
  const aside: SessionState = restoreAside(state.address, document, services)
  try {
    return probeSession({ ...work, state: aside }, command).probes
  } finally {
    aside.corpus.close()
  }
}

/** The largest difference between two answers; a hit that only one of them has differs by its whole score. */
function deviation(a: Probe, b: Probe | undefined): number {
  if (b === undefined) throw new DomainError('internal', 'The reference answered fewer test embeddings')
  // Several memories may have one text: their hits are paired best first.
  const theirs = new Map<string, number[]>()
  for (const { memoryHash, score } of b.hits) theirs.set(memoryHash, [...(theirs.get(memoryHash) ?? []), score])
  let worst = Math.abs(a.stateSimilarity - b.stateSimilarity)
  for (const { memoryHash, score } of a.hits) worst = Math.max(worst, Math.abs(score - (theirs.get(memoryHash)?.shift() ?? 0)))
  return Math.max(worst, ...[...theirs.values()].flat().map(Math.abs))
}
