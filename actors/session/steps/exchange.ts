/** Steps on exchanges that sessions share: store, read, match and remove them. */
import type {
  CollectFindings,
  CoordinationReplies,
  Exchange,
  LearnExchanges,
  MatchExchanges,
  ReadFindings,
  UnlearnMemories
} from '../../../src/domain/commands/coordination-commands.js'
import { isAlive } from '../../../src/domain/expiry.js'
import { NO_MATCH } from '../../../src/domain/facts/dedup.js'
import { createFactGuard } from '../../../src/domain/facts/fact-guard.js'
import { REPLY_TO_MAX } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { MemoryEntry, Role } from '../../../src/domain/session.js'
import { traceActor } from '../../behaviour/trace.js'
import { tellFailure } from '../recall/failure.js'
import { linesFor } from '../recall/recall.js'
import { resembling } from '../recall/similar.js'
import { createTwins, type Twins } from '../recall/twins.js'
import { auditWritten } from '../record/audit.js'
import { putEntry } from '../record/entries.js'
import { memoryVector } from '../record/memory-vector.js'
import { hasDelivery, noteDelivery } from '../record/ties.js'
import { isFolded } from '../record/topics.js'
import { embedded, needed, refuseWhenOutdated, type Work } from '../record/work.js'
import { forget } from '../semantic-state/forget.js'
import { actionFor, isAdmitted } from '../turn/isolate.js'
import { shortCircuit } from '../turn/short-circuit.js'
import { refuseWhenFull, take } from '../turn/take.js'
import { asFolded, foldTold } from '../turn/given-context.js'
import { outsideTurns } from './ingest.js'

/** Stores exchanges that were given to this session itself, and folds them into its state. */
export function* learnExchanges(work: Work, { exchanges }: LearnExchanges): Pieces<CoordinationReplies['exchange.learn']> {
  const written = yield* takeIn(work, exchanges, { isTold: true })
  for (const userId of new Set(written.map((entry) => entry.memory.userId))) {
    const texts = written.filter((entry) => entry.memory.userId === userId).map((entry) => entry.memory.text)
    auditWritten(work, 'store', { userId, texts: { memories: texts } })
  }
  return { stored: exchanges.length }
}

/** Stores a member's findings, as the preparation read them. Neither audits nor folds them, as the member's session has done both. */
export function* collectFindings(work: Work, command: CollectFindings): Pieces<CoordinationReplies['exchange.collect']> {
  const { state, services, prepared, requestId } = work
  if (hasDelivery(state, requestId)) return { stored: 0 }
  const exchanges = needed(prepared.collected)
  refuseWhenOutdated(work)
  if ((yield* takeIn(work, exchanges, { isTold: false })).length > 0) noteDelivery(state, requestId)
  traceActor(services.tracer, 'fold.member_to_cluster', state.address, {
    fromSessionId: command.fromSessionId,
    exchanges: exchanges.length
  })
  return { stored: exchanges.length }
}

/** Returns the texts of findings as they are now. Changes nothing. */
export function readFindings({ state, now }: Work, { findings }: ReadFindings): CoordinationReplies['exchange.read'] {
  const known = (id: string | null): MemoryEntry | undefined => {
    const entry = id === null ? undefined : state.corpus.get(id)
    return entry !== undefined && isAlive(entry.memory, now) ? entry : undefined
  }
  return {
    exchanges: findings.flatMap(({ questionId, answerId }): Exchange[] => {
      const answer = known(answerId)?.memory
      if (answer === undefined) return []
      const question = questionId !== null && answer.replyTo.includes(questionId) ? known(questionId)?.memory : undefined
      const { text, userId, timestamp } = answer
      return [{ question: question?.text ?? null, answer: text, userId, questionUserId: question?.userId ?? null, timestamp }]
    })
  }
}

/** Removes copies of memories. Memories that were folded here, from own turns or as told, stay. */
export function* unlearnMemories(work: Work, { hashes }: UnlearnMemories): Pieces<CoordinationReplies['exchange.unlearn']> {
  const { state } = work
  state.removals += 1
  const copies: MemoryEntry[] = []
  for (const hash of hashes) for (const entry of yield* state.corpus.allByHash(hash)) if (!isFolded(entry)) copies.push(entry)
  if (copies.length > 0) yield* forget(work, new Set(copies.map(({ memory }) => memory.id)))
  return { removed: copies.length }
}

/** Returns what the session knows of a member's message; nothing for an input that its own isolation would hold back. Changes nothing. */
export function* matchExchanges(work: Work, command: MatchExchanges): Pieces<CoordinationReplies['exchange.match']> {
  const { state, now } = work
  const text = embedded(work, command.message)
  if (text.isPending || !isAdmitted(actionFor(state, text).action)) return { isAnswered: false, hits: [] }
  try {
    const near = yield* resembling(state, text, { now, isRetrieved: true })
    const { isAnswered, answer, isEqual } = yield* shortCircuit(work, {
      text: text.text,
      userId: command.userId ?? null,
      near,
      threshold: command.shortCircuitThreshold,
      guard: createFactGuard(text.text)
    })
    const { lines } = yield* linesFor(work, { text: text.text, vector: memoryVector(text), answer: isEqual ? answer : null })
    return {
      isAnswered,
      hits: lines.map(({ score, question, text: shown, memories }) => ({
        score,
        question,
        text: shown,
        hashes: memories.map(({ memory }) => memory.hash)
      }))
    }
  } catch (error) {
    tellFailure(work, error)
    return { isAnswered: false, hits: [] }
  }
}

/** Stores exchanges. Returns the written memories, without those that were there and linked already. Throws if not all would fit. */
function* takeIn(work: Work, exchanges: readonly Exchange[], { isTold }: { isTold: boolean }): Pieces<MemoryEntry[]> {
  const { state } = work
  const twins = createTwins(work)
  refuseWhenFull(work, (yield* twins.unknown(exchanges.flatMap(halvesOf))).length)
  const taken: TakenHalf[] = []
  for (const exchange of exchanges) {
    taken.push(...takeExchange(work, exchange, twins))
    yield
  }
  const written = taken.flatMap(({ entry, isWritten }) => (isWritten ? [entry] : []))
  if (isTold)
    yield* tell(
      work,
      taken.map(({ entry }) => entry.memory.id)
    )
  if (written.length > 0) state.head = { ...state.head, lastActiveAt: work.writtenAt }
  return written
}

interface TakenHalf {
  readonly entry: MemoryEntry
  readonly isWritten: boolean
}

function takeExchange(work: Work, exchange: Exchange, twins: Twins): TakenHalf[] {
  const taken: TakenHalf[] = []
  let questionId: string | null = null
  for (const half of halvesOf(exchange)) {
    const known = twins.find(half)
    const entry: MemoryEntry =
      known === undefined
        ? added(work, half, { replyTo: questionId, timestamp: exchange.timestamp ?? work.writtenAt })
        : linked(work, known, questionId)
    twins.note(entry.memory)
    taken.push({ entry, isWritten: entry !== known })
    questionId = entry.memory.id
  }
  return taken
}

/** Folds the memories that are not folded yet, so that repeating it changes nothing. */
function* tell(work: Work, ids: readonly string[]): Pieces<void> {
  const entries = [...new Set(ids)].flatMap((id) => work.state.corpus.get(id) ?? [])
  const folded: MemoryEntry[] = []
  for (const entry of entries) {
    if (isFolded(entry)) continue
    folded.push(asFolded(work, entry))
    yield
  }
  yield* foldTold(work, folded)
}

interface Half {
  readonly text: string
  readonly role: Role
  /** Null: nobody's. Matches only memories of nobody. */
  readonly userId: string | null
}

/** Returns the halves of an exchange: the question, if there is one, then the answer. */
export function halvesOf({ question, answer, userId, questionUserId = userId }: Exchange): Half[] {
  const asked: Half[] = question === null ? [] : [{ text: question, role: 'user', userId: questionUserId }]
  return [...asked, { text: answer, role: 'assistant', userId }]
}

function added(work: Work, { text, role, userId }: Half, at: { replyTo: string | null; timestamp: number }): MemoryEntry {
  return take(work, { turn: 0, role, ...outsideTurns(work, embedded(work, text)), ...at, userId }, NO_MATCH).entry
}

function linked(work: Work, known: MemoryEntry, questionId: string | null): MemoryEntry {
  const { replyTo, id } = known.memory
  if (questionId === null || questionId === id || replyTo.includes(questionId)) return known
  return putEntry(work, { ...known, memory: { ...known.memory, replyTo: [...replyTo, questionId].slice(-REPLY_TO_MAX) } })
}
