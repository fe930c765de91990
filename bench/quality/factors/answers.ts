/**
 * Whether single questions are answered correctly, per set. Bundled again for each factor that is removed, so it reads no files: the texts
 * are passed in.
 */
import { inOneGo } from '../../../src/domain/pieces.js'
import { lexicalVector } from '../../../src/domain/words/lexical-features.js'
import { Corpus } from '../../../src/retrieval/corpus.js'
import { DENSE_WEIGHT_LEARNED, DENSE_WEIGHT_LEXICAL } from '../../../src/retrieval/fuse.js'
import { retrieve } from '../../../src/retrieval/pipeline.js'
import { createExactIndexes } from '../../../src/vectors/exact-index.js'
import type { LocomoSample } from '../retrieval/locomo.js'
import { type Embed, recallsOf } from '../stand-in/measure.js'
import { memoryOf } from '../stand-in/memory.js'
import { createStandIn, STAND_IN_DIMENSION } from '../stand-in/vectors.js'

export const SETS = [
  'marked, asked vaguely',
  'plain beside it, asked by its words',
  'part of a compound or derived word',
  'other half of an exchange, asked in wrong spelling',
  'other half of an exchange, stand-in',
  'LoCoMo',
  'LoCoMo, stand-in'
] as const
export type SetName = (typeof SETS)[number]

/** For each question of a set, 1 if it is answered and 0 if not; a share if it has several answers. */
export type Answers = Readonly<Record<SetName, readonly number[]>>

/** Lines of the files in `sets`, split into fields. */
export interface SetTexts {
  /**
   * A marked memory (a trigger fired on it), two plain ones on the same matter, a vague question, and a question that a plain one answers.
   */
  readonly marked: readonly (readonly string[])[]
  /** The answer, a text with the other words of the question, and the question. */
  readonly compounds: readonly (readonly string[])[]
  /** A question, its answer, and the question again in other words and misspelled. */
  readonly exchanges: readonly (readonly string[])[]
  readonly samples: readonly LocomoSample[]
}

/** Parameters of the stand-in for a learned model; see `stand-in/vectors.ts`. */
const STAND_IN = { strength: 0.3, common: 0.7 }
const SEEDS = [1, 2, 3]
/** Share of an answer's meaning that is its exchange's rather than its own: an answer rarely repeats the question. */
const EXCHANGE_SHARE = 0.3
/** Number of top hits that should include the other half of an exchange: the answer and its question. */
const EXCHANGE_HITS = 3

const lexical: Embed = (text) => lexicalVector(text, STAND_IN_DIMENSION)

export function answersOf({ marked, compounds, exchanges, samples }: SetTexts): Answers {
  const standIns = SEEDS.map((seed) => createStandIn({ ...STAND_IN, seed }))
  const recalls = (embed: Embed, weight: number): number[] =>
    samples.flatMap((sample) => recallsOf(sample, embed, weight).map(({ at10 }) => at10))
  return {
    ...answersBesideMarked(marked),
    'part of a compound or derived word': answersToParts(compounds),
    'other half of an exchange, asked in wrong spelling': otherHalves(exchanges, {
      embed: lexical,
      weight: DENSE_WEIGHT_LEXICAL,
      asked: 3
    }),
    'other half of an exchange, stand-in': standIns.flatMap((embed) =>
      otherHalves(exchanges, { embed, weight: DENSE_WEIGHT_LEARNED, asked: 2 })
    ),
    LoCoMo: recalls(lexical, DENSE_WEIGHT_LEXICAL),
    'LoCoMo, stand-in': recalls(createStandIn({ ...STAND_IN, seed: 1 }), DENSE_WEIGHT_LEARNED)
  }
}

type Session = ReturnType<typeof createSession>

interface Said {
  readonly text: string
  readonly vector?: Float32Array
  readonly isMarked?: boolean
  /** Position of the memory that it answers. */
  readonly replyTo?: number
}

/** Memories as a session would keep them, identified by position. */
function createSession(all: readonly Said[]) {
  const corpus: Corpus = new Corpus({ dimension: STAND_IN_DIMENSION, createVectorIndex: createExactIndexes() })
  for (const [at, { text, vector = lexical(text, {}), isMarked = false, replyTo }] of all.entries()) {
    const { memory, stats } = memoryOf(at, text, vector, isMarked)
    corpus.put({ memory: { ...memory, replyTo: replyTo === undefined ? [] : [`m${replyTo}`] }, stats })
  }
  return {
    /** Returns the texts of the hits, best first. */
    search(text: string, vector: Float32Array, denseWeight: number): string[] {
      const query = { text, vector, now: all.length, limit: 10, denseWeight, monotonicMs: () => 0 }
      return inOneGo(retrieve(corpus, query)).hits.map(({ entry }) => entry.memory.text)
    },
    close: () => corpus.close()
  }
}

function firstOf(session: Session, text: string): string | undefined {
  return session.search(text, lexical(text, {}), DENSE_WEIGHT_LEXICAL)[0]
}

/** Rotates the items by line, so that the newest differs from line to line: equal scores are ordered newest first. */
function inTurn<Item>(items: readonly Item[], line: number): Item[] {
  return items.map((_, at) => items[(at + line) % items.length] as Item)
}

/** The vague question should find the marked memory; the other one a plain memory that contains its words. */
function answersBesideMarked(lines: SetTexts['marked']): Pick<Answers, 'marked, asked vaguely' | 'plain beside it, asked by its words'> {
  const session = createSession(
    lines.flatMap((line, number) =>
      inTurn(
        line.slice(0, 3).map((text, at) => ({ text, isMarked: at === 0 })),
        number
      )
    )
  )
  const found = lines.map(([marked, plain, other, vague = '', own = '']) => {
    const answer = firstOf(session, own)
    return [Number(firstOf(session, vague) === marked), Number(answer === plain || answer === other)] as const
  })
  session.close()
  return {
    'marked, asked vaguely': found.map(([one]) => one),
    'plain beside it, asked by its words': found.map(([, one]) => one)
  }
}

function answersToParts(lines: SetTexts['compounds']): number[] {
  const session = createSession(lines.flatMap((line, number) => inTurn(line.slice(0, 2), number).map((text) => ({ text }))))
  const found = lines.map(([answer, , question = '']) => Number(firstOf(session, question) === answer))
  session.close()
  return found
}

interface Asking {
  readonly embed: Embed
  readonly weight: number
  /** Index in the line of the text that asks. */
  readonly asked: number
}

function otherHalves(lines: SetTexts['exchanges'], { embed, weight, asked }: Asking): number[] {
  const session = createSession(
    lines.flatMap(([question = '', answer = ''], at) => [
      { text: question, vector: embed(question, { [`exchange ${at}`]: 1 }) },
      { text: answer, vector: embed(answer, { [`answer ${at}`]: 1, [`exchange ${at}`]: EXCHANGE_SHARE }), replyTo: 2 * at }
    ])
  )
  const found = lines.map((line, at) => {
    const text = line[asked] ?? ''
    const hits = session.search(text, embed(text, { [`exchange ${at}`]: 1 }), weight)
    return Number(hits.slice(0, EXCHANGE_HITS).includes(line[1] ?? ''))
  })
  session.close()
  return found
}
