import t from 'tap'
import { COSTLY_TEXTS, createChance } from '../../../bench/costly-texts.js'
import { INDEXED_WORDS_MAX } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { readText, readTextAtOnce } from '../../../src/domain/text/reading.js'
import { splitInPieces } from '../../../src/domain/text/split.js'
import { contentTerms, TERMS_A_PIECE } from '../../../src/domain/text/terms.js'
import { toWordList } from '../../../src/domain/words/word-list.js'
import { wordsOf } from '../../support/words.js'

const LENGTH = 8_000

function counted<Result>(work: Pieces<Result>): { pieces: number; result: Result } {
  for (let pieces = 1; ; pieces++) {
    const next = work.next()
    if (next.done === true) return { pieces, result: next.value }
  }
}

function costly(kind: string, length: number): string {
  return (COSTLY_TEXTS[kind]?.(length, createChance(7)) ?? '').slice(0, length)
}

t.test('a text that is read has the content terms of the text, in their order', async (t) => {
  for (const text of [
    'Where is the red house of Anna, number 42?',
    'Die Häuser sind "nicht zurück"',
    '',
    'すべてのいえ',
    'getUserName in a/b.ts'
  ]) {
    const { counts, length } = readTextAtOnce(text)
    t.same(toWordList({ counts, length }), wordsOf(contentTerms(text)))
  }
  t.equal(readTextAtOnce('On 3 May Anna said "so be it" to Peter').specifics, 5)
  t.same([...readTextAtOnce('The houses').tokens], ['the', 'houses'])
})

t.test('twice the text takes twice the pieces, whatever the text', async (t) => {
  for (const kind of Object.keys(COSTLY_TEXTS)) {
    const [once, twice] = [LENGTH, 2 * LENGTH].map((length) => counted(readText(costly(kind, length))))
    if (once === undefined || twice === undefined) throw new Error('two texts')
    t.ok(twice.pieces <= 2 * once.pieces + 2, `${kind}: ${once.pieces} and ${twice.pieces}`)
    const perPiece = twice.result.length / twice.pieces
    t.ok(perPiece <= TERMS_A_PIECE, `${kind}: ${perPiece} terms a piece`)
  }
})

t.test('twice the text takes twice the counting to split it, whatever the text', async (t) => {
  for (const kind of Object.keys(COSTLY_TEXTS)) {
    const [once, twice] = [2 * LENGTH, 4 * LENGTH].map((length) => {
      let characters = 0
      const { pieces } = counted(
        splitInPieces(costly(kind, length), {
          windowTokens: 16,
          countTokens: (part) => ((characters += part.length), Math.ceil(part.length / 4))
        })
      )
      return { pieces, characters }
    })
    if (once === undefined || twice === undefined) throw new Error('two texts')
    t.ok(twice.characters <= 2.5 * once.characters, `${kind}: ${once.characters} and ${twice.characters} characters`)
    t.ok(twice.characters <= 4 * LENGTH * 40, `${kind}: ${twice.characters} characters`)
    t.ok(twice.pieces >= once.pieces, kind)
  }
})

t.test('of a text of more words than are indexed, the first ones are, and all count', async (t) => {
  const words = Array.from({ length: INDEXED_WORDS_MAX + 100 }, (_, at) => `w${String(at)}q`)
  const { counts, length } = readTextAtOnce(words.join(' '))
  t.equal(counts.size, INDEXED_WORDS_MAX)
  t.ok(length > INDEXED_WORDS_MAX)
})

t.test('words of one Chinese character, and of one Korean syllable before a particle, are counted as they stand', async (t) => {
  const countOf = (text: string, word: string): number => readTextAtOnce(text).counts.get(word) ?? 0
  t.equal(countOf('邻居的猫和猫', '猫'), 2)
  t.equal(countOf('隣の猫が猫を見る', '猫'), 2)
  t.equal(countOf('딸은 땅콩을 먹어요', '딸'), 1)
  t.equal(countOf('딸은 땅콩을 먹어요', '은'), 0)
  t.equal(countOf('ひらがなだけ', 'が'), 0)
  t.equal(readTextAtOnce('邻居的猫').length, 3, 'they make the text no longer')
})
