/** Memories given outside of any turn, one by one or in bulk. They affect only retrieval: not the state, drift or recent vectors. */
import type { ControlReplies, IngestedMemory, IngestMemories, InjectMemory } from '../../../src/domain/commands/control-commands.js'
import { addTo } from '../../../src/domain/collections/by-key.js'
import { NO_MATCH } from '../../../src/domain/facts/dedup.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { Memory, MemoryEntry } from '../../../src/domain/session.js'
import { createTwins } from '../recall/twins.js'
import { auditWritten } from '../record/audit.js'
import { toUnitVector } from '../record/embedding.js'
import { putEntry } from '../record/entries.js'
import { isFolded } from '../record/topics.js'
import { liveCount, tierOf } from '../record/views.js'
import { embedded, type EmbeddedText, type Work } from '../record/work.js'
import { isolatedShareOf } from '../turn/isolate.js'
import { type Intake, refuseWhenFull, take } from '../turn/take.js'

/** Adds a synthetic memory, replacing one with the same text. */
export function* injectMemory(work: Work, command: InjectMemory): Pieces<ControlReplies['memory.inject']> {
  const { state, now, writtenAt } = work
  const text = command.embedding === undefined ? embedded(work, command.text) : givenText(work, command.text, command.embedding)
  const twins = createTwins(work)
  yield* twins.read(command.text)
  const known = twins.find({ text: command.text, role: 'synthetic' })
  refuseWhenFull(work, known === undefined ? 1 : 0)
  const intake: Intake = {
    turn: state.head.interactionCount,
    role: 'synthetic',
    timestamp: writtenAt,
    baseTier: command.tier,
    expiresAt: command.expiresAt ?? null,
    importance: command.importance,
    accessCount: command.accessCount,
    ...outsideTurns(work, text)
  }
  const entry = known === undefined ? take(work, intake, NO_MATCH).entry : replace(work, known, intake)
  state.head = { ...state.head, lastActiveAt: writtenAt }
  return { tier: tierOf(state, entry), totalMemories: liveCount(state, now), memoryId: entry.memory.id, memoryHash: entry.memory.hash }
}

type IngestedReply = ControlReplies['memory.ingest']['memories'][number]

/** Stores a batch, all or nothing. Memories that exist as given stay untouched: the same batch twice leaves the same state. */
export function* ingestMemories(work: Work, command: IngestMemories): Pieces<ControlReplies['memory.ingest']> {
  const { state } = work
  const twins = createTwins(work)
  refuseWhenFull(work, (yield* twins.unknown(command.memories)).length)
  let stored = 0
  const written = new Map<string | null, string[]>()
  const memories: IngestedReply[] = []
  for (const given of command.memories) {
    const known = twins.find(given)
    if (known === undefined) stored += 1
    const intake = toIntake(work, given)
    const entry = known === undefined ? take(work, intake, NO_MATCH).entry : replace(work, known, intake)
    twins.note(entry.memory)
    if (entry !== known) addTo(written, intake.userId, given.text)
    memories.push({ memoryId: entry.memory.id, memoryHash: entry.memory.hash })
    yield
  }
  for (const [userId, texts] of written) auditWritten(work, 'store', { userId, texts: { memories: texts } })
  state.head = { ...state.head, lastActiveAt: work.writtenAt }
  return { stored, updated: memories.length - stored, memories }
}

function toIntake(work: Work, given: IngestedMemory): Intake {
  const text = embedded(work, given.text)
  // Field by field: for a thousand memories, spreads would take longer than everything else.
  return {
    embedded: text,
    role: given.role,
    userId: given.userId ?? null,
    timestamp: given.timestamp ?? work.writtenAt,
    turn: work.state.head.interactionCount,
    segment: work.state.head.segment,
    expiresAt: given.expiresAt ?? null,
    importance: given.importance,
    isolationShare: shareOutsideTurns(work, text)
  }
}

/** Fields that all memories from outside of turns have in common. */
export function outsideTurns(work: Work, text: EmbeddedText): Pick<Intake, 'embedded' | 'segment' | 'userId' | 'isolationShare'> {
  return { embedded: text, segment: work.state.head.segment, userId: null, isolationShare: shareOutsideTurns(work, text) }
}

function shareOutsideTurns({ state, prepared }: Work, text: EmbeddedText): number {
  return prepared.shares.get(text.text) ?? isolatedShareOf(state, text)
}

function givenText(work: Work, text: string, embedding: readonly number[]): EmbeddedText {
  return { text, partEnds: [text.length], vectors: toUnitVector(embedding, work.state.head.settings.dimension, ['embedding']) }
}

/**
 * Updates a known memory to what is given now. Returns the same entry if nothing changes. Of a folded memory only its stats change: the
 * session's state is made of it, so it neither expires nor changes its vectors. A pinned memory does not expire either.
 */
function replace(work: Work, known: MemoryEntry, intake: Intake): MemoryEntry {
  const given = isFolded(known) ? known.memory : replaced(known.memory, known.stats.isPinned ? { ...intake, expiresAt: null } : intake)
  const { importance: heldImportance, accessCount: heldCount } = known.stats
  const importance = intake.importance ?? heldImportance
  const accessCount = intake.accessCount ?? heldCount
  if (given === known.memory && importance === heldImportance && accessCount === heldCount) return known
  return putEntry(work, { memory: given, stats: { ...known.stats, importance, accessCount } })
}

function replaced(memory: Memory, { embedded: text, role, expiresAt = null, baseTier = 'short_term' }: Intake): Memory {
  const isOther = memory.isPending === true || (role === 'synthetic' && !isEqual(memory.vectors, text.vectors))
  const isReembedded = !text.isPending && isOther
  if (!isReembedded && memory.expiresAt === expiresAt && memory.baseTier === baseTier) return memory
  if (!isReembedded) return { ...memory, expiresAt, baseTier }
  const { isPending: _, ...rest } = memory
  return { ...rest, partEnds: text.partEnds, vectors: text.vectors, expiresAt, baseTier }
}

function isEqual(a: Float32Array, b: Float32Array): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at])
}
