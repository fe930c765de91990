/** Detects statements made after a question was answered that may outdate the answer. */
import { isAsking } from '../../../src/domain/drift/discourse-cues.js'
import { isAlive } from '../../../src/domain/expiry.js'
import { createFactGuard, type FactGuard } from '../../../src/domain/facts/fact-guard.js'
import { lazy } from '../../../src/domain/facts/facts.js'
import { FACT_LENGTH_MAX } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { Memory, MemoryEntry } from '../../../src/domain/session.js'
import { sentencesOf } from '../../../src/domain/text/sentences.js'
import { contentTerms } from '../../../src/domain/text/terms.js'
import { nameOneMatter } from '../../../src/retrieval/supersession.js'
import type { Neighbours } from '../recall/similar.js'
import { isNoAnswer } from './no-answer.js'

/** Upper bound on the neighbours of a message that are examined: the run has found at least as many, and each costs reading its words. */
const NEIGHBOURS_LOOKED_MAX = 64

export interface Answered {
  /** Message that repeats an answered question. */
  readonly question: string
  readonly answer: MemoryEntry
  /** Memories that resemble the message, nearest first. */
  readonly near: Neighbours
  /** Epoch seconds. */
  readonly now: number
  /** Filter on the statements that count. Default: all. */
  readonly accept?: (memory: Memory) => boolean
}

/** Whether `a` is later in time, or of the same time and stored later. */
export function isNewer(a: Memory, b: Memory): boolean {
  return a.timestamp > b.timestamp || (a.timestamp === b.timestamp && a.seq > b.seq)
}

/**
 * Whether one of the neighbours is a newer statement on the matter: a sentence with every content word of the question, or with most of
 * those of the answer, and with something that neither of them has. Questions do not count, nor do repetitions. One sentence per piece.
 */
export function* hasNewerStatement({ question, answer: { memory: answer }, near, now, accept }: Answered): Pieces<boolean> {
  const asked = new Set(contentTerms(question))
  if (asked.size === 0) return false
  const answered = new Set(contentTerms(startOf(answer.text)))
  const guard = lazy(() => createFactGuard(startOf(answer.text)))
  let looked = 0
  for (const hit of near) {
    if (hit === null) {
      yield
      continue
    }
    const { memory } = hit.entry
    if (looked++ >= NEIGHBOURS_LOOKED_MAX) return false
    if (!isNewer(memory, answer) || !isAlive(memory, now) || accept?.(memory) === false) continue
    const matter = { asked, answered, guard, isReply: memory.replyTo.length > 0 }
    for (const sentence of sentencesOf(startOf(memory.text))) {
      yield
      if (!(yield* isStatedAnew(sentence.trim(), matter))) continue
      if (isNoAnswer(memory.text)) break
      return true
    }
  }
  return false
}

interface Matter {
  readonly asked: ReadonlySet<string>
  readonly answered: ReadonlySet<string>
  /** Fact guard of the answer. */
  readonly guard: () => FactGuard
  /** Whether the statement answers another question, to which the answer may have much the same words. */
  readonly isReply: boolean
}

function* isStatedAnew(sentence: string, { asked, answered, guard, isReply }: Matter): Pieces<boolean> {
  if (isAsking(sentence)) return false
  const terms = new Set(contentTerms(sentence))
  const isOfQuestion = [...asked].every((term) => terms.has(term))
  if (!isOfQuestion && (isReply || !isOfAnswer(terms, answered))) return false
  const isNew = [...terms].some((term) => !asked.has(term) && !answered.has(term))
  return isNew || (yield* guard().differs(sentence))?.kind === 'negation'
}

function isOfAnswer(terms: ReadonlySet<string>, answered: ReadonlySet<string>): boolean {
  const shared = [...terms].filter((term) => answered.has(term)).length
  // If one side has no word of its own, one text adds to the other, or repeats it.
  if (shared === terms.size || shared === answered.size) return false
  return nameOneMatter(shared, Math.min(terms.size, answered.size))
}

/** Returns the beginning of a text, as far as its facts are compared. */
function startOf(text: string): string {
  return text.slice(0, FACT_LENGTH_MAX)
}
