/**
 * Pairs of texts written for this measurement, English and German. Traps are alike in words and ask or state something else: one line
 * with both sides of each difference in braces, `How do I {lock|unlock} it?`. Rephrasings mean the same: `one text => the other`.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export const LANGUAGES = ['english', 'german'] as const
export type Language = (typeof LANGUAGES)[number]

export interface TextPair {
  readonly first: string
  readonly second: string
  readonly language: Language
  /** Heading that it stands under: the kind of fact in which a trap differs, the field or means of a rephrasing. */
  readonly group: string
  readonly isSame: boolean
  /** Of the third that rules were not written with: by the hash of its texts, so that it stays where it is as sets grow. */
  readonly isKeptAside: boolean
}

const KEPT_ASIDE_OF = 3

/** All traps and rephrasings of a language, in the order of their files. */
export function readPairs(language: Language): TextPair[] {
  return [...readSet(language, 'traps'), ...readSet(language, 'rephrasings')]
}

function readSet(language: Language, set: 'traps' | 'rephrasings'): TextPair[] {
  let group = ''
  return readFileSync(new URL(`sets/${language}-${set}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) group = line.slice(2)
      if (line === '' || line.startsWith('# ')) return []
      const sides: readonly string[] = set === 'traps' ? bothSides(line) : line.split(' => ')
      const [first, second] = sides
      if (first === undefined || second === undefined || first === second) throw new Error(`Not a pair: ${line}`)
      return [{ first, second, language, group, isSame: set === 'rephrasings', isKeptAside: isKeptAside(first, second) }]
    })
}

function bothSides(line: string): readonly [string, string] {
  const side = (at: 0 | 1): string =>
    line
      .replace(/\{([^{|}]*)\|([^{}]*)\}/g, (_, left: string, right: string) => [left, right][at] ?? '')
      .replace(/\s+/g, ' ')
      .trim()
  return [side(0), side(1)]
}

function isKeptAside(first: string, second: string): boolean {
  return createHash('sha256').update(`${first}\n${second}`).digest().readUInt32BE() % KEPT_ASIDE_OF === 0
}
