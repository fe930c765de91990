import { isAlive } from '../../../src/domain/expiry.js'
import type { RefusedRepetition } from '../../../src/domain/commands/session-commands.js'
import type { Span } from '../../../src/domain/calendar.js'
import { isWish } from '../../../src/domain/drift/discourse-cues.js'
import type { FactKind } from '../../../src/domain/fact-kinds.js'
import type { FactGuard } from '../../../src/domain/facts/fact-guard.js'
import { leastSimilarity, repetitionOf } from '../../../src/domain/facts/repetition.js'
import { mayBeTask } from '../../../src/domain/facts/tasks.js'
import { REWORDED_NEIGHBOURS_MAX, SHORT_CIRCUIT_THRESHOLD } from '../../../src/domain/limits.js'
import { createPace, isPauseDue, type Pieces } from '../../../src/domain/pieces.js'
import type { Memory, MemoryEntry } from '../../../src/domain/session.js'
import { isElliptic } from '../../../src/domain/text/ellipsis.js'
import { namedTimes } from '../../../src/domain/text/named-times.js'
import { relativeTimes } from '../../../src/domain/text/relative-words.js'
import { similarityScale } from '../recall/scale.js'
import type { Neighbours } from '../recall/similar.js'
import type { Work } from '../record/work.js'
import { hasNewerStatement, isNewer } from './newer-statement.js'
import { isNoAnswer } from './no-answer.js'
import { wordingOf } from './wording.js'

export interface ShortCircuit {
  readonly isAnswered: boolean
  /** Newest answer to the repeated question; null if none is repeated. */
  readonly answer: MemoryEntry | null
  /** Whether no fact tells the two questions apart: the answer is then what a reader looks for first. */
  readonly isEqual: boolean
  /** Nearest answered question that was not accepted as a repetition; null if there is none, or another question is repeated. */
  readonly refused: RefusedRepetition | null
}

interface Asked {
  readonly text: string
  /** Data subject that asks; null for nobody. */
  readonly userId: string | null
  /** Memories that resemble the message, nearest first. */
  readonly near: Neighbours
  readonly threshold: number
  /** Fact guard of the text. */
  readonly guard: FactGuard
}

export const NOTHING: ShortCircuit = { isAnswered: false, answer: null, isEqual: false, refused: null }

/** Question that the message repeats. */
interface Repeated {
  readonly id: string
  readonly similarity: number
  readonly answer: MemoryEntry
  /** Whether no fact tells the two apart. */
  readonly isEqual: boolean
}

/** Neighbours without an answer looked at per piece. */
const UNANSWERED_A_PIECE = 64

/**
 * Decides whether the message repeats an answered question, to the degree that the threshold asks for. The cosine alone cannot tell
 * "enable" from "disable". A false hit is worse than a miss, so a question that the guard cannot compare any more does not count. Among
 * equal questions the newest answer counts, unless something newer was said on the matter.
 */
export function* shortCircuit({ state, now }: Work, asked: Asked): Pieces<ShortCircuit> {
  const scale = similarityScale(state)
  const least = leastSimilarity(asked.threshold)
  // A caller's threshold above the default asks for that similarity itself.
  const wording = asked.threshold > SHORT_CIRCUIT_THRESHOLD ? null : wordingOf(state, asked.text)
  const isOthers = othersOf(asked)
  /** Returns the kind of fact in which the same words mean something else; null if none. Called only for repetitions, which are few. */
  function meantOtherwise(question: Memory, answer: Memory): FactKind | null {
    if (isOthers(question)) return 'person'
    if (isElliptic(asked.text) || isWish(asked.text)) return 'reference'
    if (mayBeTask(asked.text)) return 'task'
    const isOfOtherDay = otherDayOf(asked.text, now)
    // Both are checked: an answer is stored with the next message, maybe on another day; a question is dated when it was last asked.
    return isOfOtherDay(question.timestamp) || isOfOtherDay(answer.timestamp) ? 'time' : null
  }
  const pace = createPace()
  let repeated: Repeated | null = null
  let refused: RefusedRepetition | null = null
  let reworded = 0
  for (const hit of asked.near) {
    if (hit === null) {
      yield
      continue
    }
    const { entry } = hit
    let similarity = scale(hit.similarity)
    if (similarity < least && wording === null) break
    if (similarity < SHORT_CIRCUIT_THRESHOLD && reworded++ >= REWORDED_NEIGHBOURS_MAX) break
    const { id, text } = entry.memory
    const answers = state.corpus.answersOf(id)
    // Most neighbours answer no question: a pause for each of them would cost more than the look.
    if (answers.length === 0) {
      if (isPauseDue(pace, 1 / UNANSWERED_A_PIECE)) yield
      continue
    }
    if (similarity < least) {
      yield
      similarity = Math.max(similarity, wording?.(text) ?? -1)
      if (similarity < least) continue
    }
    const answer = yield* newestAnswer(answers, now)
    yield
    if (answer !== undefined && !isOutdone(answer, repeated)) {
      const { reaches, difference } = yield* repetitionOf(similarity, text, asked.guard)
      const isRepeated = reaches(asked.threshold)
      const meant = isRepeated ? meantOtherwise(entry.memory, answer.memory) : null
      const isEqual = difference === null
      if (isRepeated && meant === null) {
        if (repeated === null || isEqual) repeated = { id, similarity, answer, isEqual }
      } else {
        const kind = difference?.kind ?? meant
        if (kind !== null) refused ??= { memoryId: id, similarity, difference: kind }
      }
    }
    yield
  }
  if (repeated === null) return { ...NOTHING, refused }
  const { id: memoryId, similarity, answer, isEqual } = repeated
  const said = { question: asked.text, answer, near: asked.near, now, accept: (memory: Memory) => !isOthers(memory) }
  if (yield* hasNewerStatement(said)) return { ...NOTHING, refused: { memoryId, similarity, difference: 'stale' } }
  return { isAnswered: true, answer, isEqual, refused: null }
}

/** Answers examined per piece. */
const ANSWERS_A_PIECE = 64

/**
 * Returns the newest live answer that says something; undefined if none. A question may have as many answers as a session has memories:
 * they are examined from the last one backwards, so that few texts are read.
 */
export function* newestAnswer(answers: readonly MemoryEntry[], now: number): Pieces<MemoryEntry | undefined> {
  let found: MemoryEntry | undefined
  for (let at = answers.length - 1; at >= 0; at--) {
    if ((answers.length - at) % ANSWERS_A_PIECE === 0) yield
    const { memory } = answers[at] as MemoryEntry
    if (found !== undefined && !isNewer(memory, found.memory)) continue
    if (isAlive(memory, now) && !isNoAnswer(memory.text)) found = answers[at]
  }
  return found
}

/** Whether no question with this answer counts before `known`, the nearest or an equal one: the questions need not be compared. */
function isOutdone(answer: MemoryEntry, known: Repeated | null): boolean {
  return known?.isEqual === true && !isNewer(answer.memory, known.answer.memory)
}

/** Returns a test of whether the text's relative times ("today", "on Monday") mean another time when said then. `now`: epoch seconds. */
function otherDayOf(text: string, now: number): (then: number) => boolean {
  const meant = timesFrom(text, now)
  if (meant.length === 0) return () => false
  return (then) => timesFrom(text, then).some(({ since }, at) => since !== meant[at]?.since)
}

function timesFrom(text: string, now: number): readonly Span[] {
  return [...namedTimes(text, now).filter(({ isRelative }) => isRelative), ...relativeTimes(text, now)]
}

/** Returns a filter on the memories of others, which do not count when the text is a question of a user about themselves. */
function othersOf({ text, userId }: Asked): (memory: Memory) => boolean {
  if (userId === null || !FIRST_PERSON.test(text.replace(FOR_ANYONE, ''))) return () => false
  return (memory) => memory.userId !== null && memory.userId !== userId
}

/** "How do I prune roses?" asks what anyone would do. */
const FOR_ANYONE =
  /(?<![\p{L}\p{N}])(?:how (?:do|can|could|should|would|must) i|how (?:often|long|much|many) (?:do i have to|should i|must i)|wie (?:oft |lange |viel )?(?:kann|könnte|soll|sollte|muss) ich)(?![\p{L}\p{N}])/giu
const FIRST_PERSON = /(?<![\p{L}\p{N}])(?:i|me|my|mine|myself|ich|mich|mir|mein(?:e[mnrs]?)?)(?![\p{L}\p{N}])/iu
