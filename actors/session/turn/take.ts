/** Stores a text in a session: as a new memory, or as an update of one that says the same. */
import type { DedupSignal } from '../../../src/domain/commands/session-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { type DedupCandidate, dedupSignal } from '../../../src/domain/facts/dedup.js'
import type { FactGuard } from '../../../src/domain/facts/fact-guard.js'
import { COUNT_MAX, REPLY_TO_MAX } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { Memory, MemoryEntry, MemoryStats, Role, Tier } from '../../../src/domain/session.js'
import { newImportance, raisedImportance, TRIGGERED_IMPORTANCE } from '../../../src/domain/words/importance.js'
import { similarityScale } from '../recall/scale.js'
import { type Neighbours, resembling } from '../recall/similar.js'
import { putEntry } from '../record/entries.js'
import { hashText } from '../record/hash.js'
import type { SessionState } from '../record/state.js'
import { NO_QUESTIONS } from '../record/stored-memory.js'
import { foldedShare, isFolded, wholeShare } from '../record/topics.js'
import { liveCount, tierOf } from '../record/views.js'
import { type EmbeddedText, readingOf, type Work } from '../record/work.js'

/** Text to be stored. */
export interface Intake {
  readonly embedded: EmbeddedText
  readonly role: Role
  readonly userId: string | null
  /** Epoch seconds. */
  readonly timestamp: number
  /** Number of the turn; 0 outside of any turn. */
  readonly turn: number
  readonly segment: number
  /** Id of the question that it answers. Default: it answers none. */
  readonly replyTo?: string | null
  /** Default: the lowest. */
  readonly baseTier?: Tier
  /** Epoch seconds. Default: never. */
  readonly expiresAt?: number | null
  /** Default: derived from the content. */
  readonly importance?: number | undefined
  /** Default: 0 for a new memory, and unchanged for a known one. */
  readonly accessCount?: number
  /** Share that isolation left, 0..1. */
  readonly isolationShare: number
  /** Whether it is folded into the state, with its share. Default: false. */
  readonly isFolded?: boolean
  /** Whether a trigger protects it. Default: false. */
  readonly isTriggered?: boolean
}

interface DedupOptions {
  /** -1..1 */
  readonly threshold: number
  /** Candidates: memories that resemble the text. */
  readonly near: Neighbours
  /** Guard of this text. Default: a new one. */
  readonly guard?: FactGuard
}

/** Whether a text would count as an update of a memory of the data subject, if one is named: null for nobody. Changes nothing. */
export function* lookForUpdate(
  { state, services, now }: Work,
  text: EmbeddedText,
  { userId, threshold = services.updateThreshold }: { readonly userId?: string | null; readonly threshold?: number | undefined }
): Pieces<DedupSignal> {
  const near = yield* resembling(state, text, { now, userId })
  return yield* dedupOf(state, text, { threshold, near })
}

/** Whether a text would count as an update of one of the candidates. Changes nothing. */
export function dedupOf(state: SessionState, { text }: EmbeddedText, { threshold, near, guard }: DedupOptions): Pieces<DedupSignal> {
  return dedupSignal(text, candidates(state, text, near), threshold, guard)
}

/** Throws `memory_full` if `added` memories would not fit. Call it before any change. Expired memories do not count. */
export function refuseWhenFull({ state, services, now }: Work, added: number, held = liveCount(state, now)): void {
  if (added === 0) return
  if (state.head.nextSeq + added > COUNT_MAX) throw new DomainError('memory_full', 'Session is full: it cannot number further memories')
  if (held + added <= services.memoriesMax) return
  throw new DomainError(
    'memory_full',
    `Session is full: it holds ${String(held)} of at most ${String(services.memoriesMax)} memories (SERVICE_MAX_MEMORIES)`
  )
}

/** Upper bound on the memories that texts with these signals add. A second update of one memory counts as new: the first may reword it. */
export function countNew(signals: readonly DedupSignal[]): number {
  return signals.length - new Set(signals.flatMap(({ isUpdate, matchedId }) => (isUpdate && matchedId !== null ? [matchedId] : []))).size
}

/**
 * Stores the text, as an update if the signal says so; an updated memory keeps its id. `formerHash`: hash of the memory's former text, if
 * the update has changed it; else null.
 */
export function take(work: Work, intake: Intake, signal: DedupSignal): { entry: MemoryEntry; formerHash: string | null } {
  const known = signal.isUpdate && signal.matchedId !== null ? work.state.corpus.get(signal.matchedId) : undefined
  if (known === undefined) return { entry: putEntry(work, added(work, intake)), formerHash: null }
  // A pending memory that gets its vector counts as changed even with the same text: its folds have to be measured.
  const isSame = known.memory.text === intake.embedded.text && (known.memory.isPending !== true || intake.embedded.isPending === true)
  const formerHash = isSame ? null : known.memory.hash
  return { entry: putEntry(work, updated(work, known, intake)), formerHash }
}

function added(work: Work, intake: Intake): MemoryEntry {
  const { state } = work
  const { text, partEnds, vectors, isPending } = intake.embedded
  const memory: Memory = {
    id: work.services.ids.uuid(),
    seq: state.head.nextSeq,
    hash: hashText(text),
    text,
    role: intake.role,
    userId: intake.userId,
    timestamp: intake.timestamp,
    turn: intake.turn,
    replyTo: intake.replyTo == null ? NO_QUESTIONS : [intake.replyTo],
    baseTier: intake.baseTier ?? 'short_term',
    expiresAt: intake.expiresAt ?? null,
    partEnds,
    vectors,
    ...(isPending && { isPending })
  }
  state.head = { ...state.head, nextSeq: state.head.nextSeq + 1 }
  return { memory, stats: newStats(work, intake) }
}

function newStats(work: Work, intake: Intake): MemoryStats {
  const { text } = intake.embedded
  const { isTriggered = false, isolationShare, turn } = intake
  return {
    importance: intake.importance ?? newImportance({ reading: readingOf(work, text), isTriggered, isolationShare }),
    accessCount: intake.accessCount ?? 0,
    accessedAt: intake.timestamp,
    isProtected: isTriggered,
    segment: intake.segment,
    ...keptShare(intakeShare(intake), turn)
  }
}

// The memory takes the newest wording, so that what was sent last can be read back by its hash. Role, order, links and tier are kept.
function updated({ state }: Work, known: MemoryEntry, intake: Intake): MemoryEntry {
  const { text } = intake.embedded
  const { stats } = known
  const { isPending: _pending, ...memory } = known.memory
  // A pending text updates only a memory with the same text, so the memory keeps its vectors.
  const { partEnds, vectors, isPending } = intake.embedded.isPending ? known.memory : intake.embedded
  const isLinked = intake.replyTo == null || intake.replyTo === memory.id || memory.replyTo.includes(intake.replyTo)
  const replyTo = isLinked ? memory.replyTo : [...memory.replyTo, intake.replyTo]
  const turn = Math.max(memory.turn, intake.turn)
  const { share: _, ...kept } = stats
  return {
    memory: {
      ...memory,
      hash: hashText(text),
      text,
      partEnds,
      vectors,
      timestamp: intake.timestamp,
      turn,
      baseTier: tierOf(state, known),
      replyTo: replyTo.slice(-REPLY_TO_MAX),
      expiresAt: intake.expiresAt ?? null,
      ...(isPending && { isPending })
    },
    stats: {
      ...kept,
      importance: Math.max(raisedImportance(stats.importance), intake.isTriggered ? TRIGGERED_IMPORTANCE : 0),
      isProtected: stats.isProtected || intake.isTriggered === true,
      segment: isFolded(known) ? stats.segment : intake.segment,
      ...keptShare(Math.max(foldedShare(known), intakeShare(intake)), turn)
    }
  }
}

function intakeShare({ isFolded: isCounted = false, isolationShare }: Intake): number {
  return isCounted ? isolationShare : 0
}

function keptShare(share: number, turn: number): Pick<MemoryStats, 'share'> {
  return share === wholeShare(turn) ? {} : { share }
}

/** Yields the candidates for an update. A pinned memory keeps its wording: only the same text is an update of it. */
function* candidates(state: SessionState, text: string, near: Neighbours): Iterable<DedupCandidate | null> {
  const scale = similarityScale(state)
  for (const hit of near) {
    if (hit === null) {
      yield null
      continue
    }
    const { entry, similarity } = hit
    if (entry.stats.isPinned === true && entry.memory.text !== text) continue
    yield { id: entry.memory.id, text: entry.memory.text, similarity: scale(similarity) }
  }
}
