/** Log of the inputs that make up a session's state, and measures on it. */
import { DRIFT_TERMS_MAX, type DriftWords, readDriftWords, type SaidWords } from '../../../src/domain/drift/drift-words.js'
import {
  DRIFT_BASELINE_FOLDS,
  DRIFT_HORIZON_FOLDS,
  type DriftFold,
  type DriftInput,
  type DriftMeasure,
  measureDrift
} from '../../../src/domain/drift/drift.js'
import { FOLD_LOG_MAX, REALIGNMENT_TURNS, RECENT_TOP_K } from '../../../src/domain/limits.js'
import { isLexicalModel } from '../../../src/domain/similarity/models.js'
import { createRecent } from '../../../src/domain/collections/recent.js'
import {
  anchorMean,
  countedFolds,
  semanticState,
  type SemanticStateInput,
  stateSum
} from '../../../src/domain/similarity/semantic-state.js'
import type { Fold, Memory, Role } from '../../../src/domain/session.js'
import { unitedUsers } from '../../../src/domain/shared-users.js'
import { spreadOf } from '../../../src/domain/similarity/spread.js'
import { memoryVector } from '../record/memory-vector.js'
import type { SessionState } from '../record/state.js'

/** Weight of an input in the state, by role. An answer says less about where its session is going than the user's own words. */
function wholeWeight(role: Role): number {
  // Compared, not looked up by name: every run asks this of all its folds, and a look-up takes three times as long.
  return role === 'user' ? 1 : role === 'assistant' ? 0.5 : 0
}

/** Bytes of a subject's cache of words as drift compares them: the words of some hundred sessions. */
const WORDS_KEPT_MAX = 1_048_576
/** Bytes of the words of one memory in that cache, beside their letters. */
const WORDS_BYTES = 150

/** Cached words by memory, which is immutable. Successive inputs are compared with the same inputs except one. */
const wordsRead = createRecent<Memory, SaidWords>(WORDS_KEPT_MAX)

/** Fields of a fold that the folds before it decide. Default: those of an input that is not measured. */
type Measured = Partial<Pick<Fold, 'dissimilarity' | 'driftScore'>>

/** Returns an input of the state. `share`: what isolation leaves of it, 0..1. An update keeps the role of its memory, not of the input. */
export function foldOf(
  { id: memoryId, role }: Pick<Memory, 'id' | 'role'>,
  { turn, segment }: Pick<Fold, 'turn' | 'segment'>,
  share: number,
  { dissimilarity = 0, driftScore = 0 }: Measured = {}
): Fold {
  return { memoryId, role, turn, weight: wholeWeight(role) * share, dissimilarity, driftScore, segment }
}

/** Measures an input against the folds before it. */
export function driftOf(state: SessionState, input: DriftInput, folds: readonly Fold[]): DriftMeasure {
  return measureDrift(
    input,
    folds.slice(-DRIFT_BASELINE_FOLDS).map((fold) => new FoldInput(state, fold)),
    { isLearned: !isLexicalModel(state.head.settings.modelName) }
  )
}

/** A memory as the drift measure reads it. */
export function driftInput(state: SessionState, memory: Memory): DriftInput {
  return { text: memory.text, words: readWords(state, memory), vector: memoryVector(memory) }
}

function wordsOf(state: SessionState, memory: Memory): SaidWords {
  return wordsRead.of(state.address.subject).get(memory) ?? keepWords(state, memory, readWords(state, memory))
}

function readWords({ corpus }: SessionState, memory: Memory): DriftWords {
  return readDriftWords(corpus.terms(memory.id, DRIFT_TERMS_MAX))
}

/** Keeps the words of a memory's text for the messages that will be compared with it. */
export function keepWords({ address }: SessionState, memory: Memory, { topicalCount, relatives, fields }: SaidWords): SaidWords {
  const words = { topicalCount, relatives, fields }
  wordsRead.of(address.subject).keep(memory, words, WORDS_BYTES + relatives.length + fields.length)
  return words
}

/**
 * Returns the log with one more fold. A full log drops the oldest fold that isolation weakened and that is outside the drift horizon, else
 * the oldest fold: off-domain inputs, however many, never push out inputs that passed.
 */
export function withFold(folds: readonly Fold[], fold: Fold): readonly Fold[] {
  // A spread would reserve room for more.
  if (folds.length < FOLD_LOG_MAX) return folds.concat([fold])
  const looked = folds.length - DRIFT_HORIZON_FOLDS
  const weakened = folds.findIndex((known, at) => at < looked && foldShare(known) < 1)
  const dropped = Math.max(0, weakened)
  return [...folds.slice(0, dropped), ...folds.slice(dropped + 1), fold]
}

/** Share that isolation left of a folded input, 0..1. */
export function foldShare({ weight, role }: Pick<Fold, 'weight' | 'role'>): number {
  const whole = wholeWeight(role)
  return whole === 0 ? 1 : Math.min(1, weight / whole)
}

/** Returns the session's semantic state, a unit vector; null while it has no direction. */
export function stateVector(state: SessionState): Float32Array | null {
  const { head } = state
  const target = head.realignmentRemaining > 0 ? anchorMean(anchorVectors(state)) : null
  const realignment = target === null ? null : { target, remaining: head.realignmentRemaining, total: REALIGNMENT_TURNS }
  return semanticState({ realignment, ...stateInput(state) })
}

/** Returns the sum whose direction is the state, without realignment. A delta added to it moves the state. */
export function stateSumOf(state: SessionState): Float64Array {
  return stateSum(stateInput(state), state.head.settings.dimension)
}

/** Returns the direction of the domain that isolation keeps the session to: that of its anchors, else of its allowlist. */
function domainVector(state: SessionState): Float32Array | null {
  return anchorMean(state.anchors.size > 0 ? anchorVectors(state) : state.isolation.allowlist)
}

/** Returns the data subjects whose memories are folded into the state; null if that may be anybody. */
export function stateUsers(state: SessionState): readonly string[] | null {
  const folds = foldsOfState(state).map((fold) => ({ share: foldShare(fold), ...fold }))
  const folded = countedFolds(folds).flatMap(({ fold }) => state.corpus.get(fold.memoryId)?.memory.userId ?? [])
  return unitedUsers([folded, ...[...state.deltas.values()].map((delta) => delta.users)])
}

function stateInput(state: SessionState): Omit<SemanticStateInput, 'realignment'> {
  const { head } = state
  return {
    folds: foldsOfState(state).flatMap((fold) => {
      const entry = state.corpus.get(fold.memoryId)
      return entry === undefined
        ? []
        : [{ vector: memoryVector(entry.memory), weight: fold.weight, importance: entry.stats.importance, share: foldShare(fold) }]
    }),
    domain: domainVector(state),
    deltas: [...state.deltas.values()].map((delta) => ({ vector: delta.vector, age: Math.max(0, head.interactionCount - delta.turn) })),
    template: head.settings.templateEmbedding,
    templateAge: head.interactionCount
  }
}

function foldsOfState({ head }: SessionState): readonly Fold[] {
  return head.settings.enableTopicSwitch ? head.folds.filter((fold) => fold.segment === head.segment) : head.folds
}

/** Returns the anchors' unit vectors, in the order they were set. */
export function anchorVectors(state: SessionState): Float32Array[] {
  return [...state.anchors.values()].map((anchor) => anchor.embedding)
}

/** Returns the vectors of the latest folds, at most RECENT_TOP_K. */
export function recentVectors(state: SessionState): Float32Array[] {
  return state.head.folds.slice(-RECENT_TOP_K).map((fold) => memoryVector(foldedMemory(state, fold)))
}

/** Returns mean and variance of the similarities of recent messages to what came before them, without inputs that isolation weakened. */
export function coherence(state: SessionState, folds: readonly Fold[]): { readonly mean: number; readonly variance: number } {
  const similarities: number[] = []
  // The first fold has nothing before it, so its dissimilarity says nothing.
  let isFirst = true
  for (const fold of folds) {
    if (isPendingFold(state, fold)) continue
    if (!isFirst && fold.role === 'user' && foldShare(fold) === 1) similarities.push(1 - fold.dissimilarity)
    isFirst = false
  }
  return spreadOf(similarities)
}

/** Whether the folded memory is not embedded yet. */
export function isPendingFold({ pending }: SessionState, { memoryId }: Fold): boolean {
  return pending.size > 0 && pending.has(memoryId)
}

/** A fold as the drift measure reads it. Its memory is looked up only when asked for: of most folds, the measure reads the role alone. */
class FoldInput implements DriftFold {
  private known: Memory | null = null
  private read: SaidWords | null = null

  constructor(
    private readonly state: SessionState,
    private readonly fold: Fold
  ) {}

  get role(): Role {
    return this.fold.role
  }

  get dissimilarity(): number {
    return this.fold.dissimilarity
  }

  get share(): number {
    return foldShare(this.fold)
  }

  get text(): string {
    return this.memory().text
  }

  get words(): SaidWords {
    return (this.read ??= wordsOf(this.state, this.memory()))
  }

  get vector(): Float32Array {
    return memoryVector(this.memory())
  }

  private memory(): Memory {
    return (this.known ??= foldedMemory(this.state, this.fold))
  }
}

function foldedMemory({ corpus }: SessionState, { memoryId }: Fold): Memory {
  const entry = corpus.get(memoryId)
  if (entry === undefined) throw new Error('a fold names a memory that is gone')
  return entry.memory
}
