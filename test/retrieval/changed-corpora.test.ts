/** Searches of several corpora in turns, some of them given up, after any change: each finds what a corpus of what is left would find. */
import t from 'tap'
import { createChance } from '../../bench/costly-texts.js'
import { inOneGo } from '../../src/domain/pieces.js'
import type { MemoryEntry } from '../../src/domain/session.js'
import { readTextAtOnce } from '../../src/domain/text/reading.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { retrieve } from '../../src/retrieval/pipeline.js'
import { queryTerms, type Retrieval } from '../../src/retrieval/query.js'
import { corpusOf, DIMENSION, memoryEntry, NOON, partVectors } from '../support/memories.js'

const chance = createChance(23)
const LIVES = 8

/** A text of words of which few are in most texts, and most in few; one of them may stand there more often than a place can count. */
function textOf(): string {
  const words = Array.from({ length: 1 + chance(8) }, () => `word${String.fromCharCode(97 + Math.floor(3 ** (chance(290) / 100)))}`)
  return [...words, ...new Array<string>(chance(9) === 0 ? 12 + chance(5) : 0).fill(words[0] as string)].join(' ')
}

/** A memory that may have several parts, have expired or expire later, and answer another one. */
function memoryOf(seq: number, isPlain: boolean): MemoryEntry {
  const text = textOf()
  const isWhole = isPlain || chance(9) > 0
  return memoryEntry(seq, text, {
    expiresAt: isPlain || chance(5) > 0 ? null : NOON + chance(2),
    replyTo: chance(9) === 0 ? [`m${String(seq - 1)}`] : [],
    ...(!isWhole && { partEnds: [1, text.length], vectors: partVectors(textOf(), text) })
  })
}

/** A corpus with what it should hold, by seq. */
function start(isPlain: boolean) {
  const corpus = corpusOf()
  const left = new Map<number, MemoryEntry>()
  const remove = (seq: number): void => {
    corpus.remove(`m${String(seq)}`)
    left.delete(seq)
  }
  const put = (seq: number): void => {
    const entry = memoryOf(seq, isPlain)
    corpus.put(entry)
    left.set(seq, entry)
  }
  const newest = (): number => Math.max(0, ...left.keys())
  return { corpus, left, put, remove, newest }
}

type Changed = ReturnType<typeof start>

const CHANGES: readonly ((changed: Changed) => void)[] = [
  ({ put, newest }) => put(newest() + 1),
  ({ put, newest }) => put(1 + chance(newest() + 9)),
  ({ remove, newest }) => remove(1 + chance(newest() + 1)),
  ({ remove, newest }) => remove(newest()),
  ({ left, remove, newest }) => {
    const most = newest()
    if (left.size > 40) for (const seq of [...left.keys()]) if (seq > (2 * most) / 5) remove(seq)
  }
]

/** A search as a run makes it, or as a plain search does, and the query. */
function search({ corpus }: Changed) {
  const text = textOf()
  const isChosen = chance(3) === 0
  const accept = ({ memory }: MemoryEntry): boolean => memory.seq % 3 > 0
  const query = {
    ...{ text, limit: 1 + chance(60), now: NOON, monotonicMs: () => 0 },
    ...(chance(4) > 0 && { vector: lexicalVector(text, DIMENSION) }),
    ...(isChosen && { accept })
  }
  const isBegun = chance(2) === 0
  function* found() {
    const matches = isBegun ? yield* corpus.matching(queryTerms(readTextAtOnce(text)), NOON) : undefined
    return yield* retrieve(corpus, query, matches)
  }
  return { query, work: found() }
}

function shown({ hits }: Retrieval): unknown {
  return hits.map(({ entry, score, components }) => [entry.memory.id, score.toFixed(9), components.lexical.toFixed(9), components.dense])
}

t.test('searches in turns find what they find in corpora that are built anew', async (t) => {
  for (let life = 0; life < LIVES; life++) {
    const all = Array.from({ length: 4 }, (_, at) => {
      const changed = start(at % 2 === 0)
      for (let size = chance(life % 4 === 0 ? 500 : 120); size > 0; size--) changed.put(changed.newest() + 1)
      return changed
    })
    for (let round = 0; round < 4; round++) {
      const under = all.map((changed) => {
        const change = CHANGES[chance(CHANGES.length)] as (changed: Changed) => void
        for (let times = chance(round === 1 ? 30 : 3); times > 0; times--) change(changed)
        return { changed, ...search(changed) }
      })
      for (const { changed, query, found } of inTurns(under)) {
        const rebuilt = corpusOf(...[...changed.left.values()].sort((a, b) => a.memory.seq - b.memory.seq))
        t.same(shown(found), shown(inOneGo(retrieve(rebuilt, query))), `${String(changed.left.size)} memories`)
      }
    }
  }
})

/** Does a piece of one search after the other. Some are given up. */
function* inTurns<Search extends ReturnType<typeof search>>(under: readonly Search[]): Generator<Search & { readonly found: Retrieval }> {
  const left = new Set(under)
  while (left.size > 0) {
    const one = [...left][chance(left.size)] as Search
    const next = one.work.next()
    if (next.done === true) yield { ...one, found: next.value }
    else if (chance(80) > 0) continue
    else one.work.return({ hits: [], stages: [] })
    left.delete(one)
  }
}
