/**
 * Pairs of texts written for this measurement, English and German. Traps are alike in words and ask or state something else: one line
 * with both sides of each difference in braces, `How do I {lock|unlock} it?`. Rephrasings mean the same: `one text => the other`.
 */
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
  /** Of the third that the rules were not written with. */
  readonly isKeptAside: boolean
}

/** All traps and rephrasings of a language, in the order of their files: those that rules are written with, then those kept aside. */
export function readPairs(language: Language): TextPair[] {
  return [false, true].flatMap((isKeptAside) => [
    ...readSet({ language, set: 'traps', isKeptAside }),
    ...readSet({ language, set: 'rephrasings', isKeptAside })
  ])
}

interface PairSet {
  readonly language: Language
  readonly set: 'traps' | 'rephrasings'
  readonly isKeptAside: boolean
}

function readSet({ language, set, isKeptAside }: PairSet): TextPair[] {
  let group = ''
  return readFileSync(new URL(`sets/${isKeptAside ? 'kept-aside/' : ''}${language}-${set}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) group = line.slice(2)
      if (line === '' || line.startsWith('# ')) return []
      const sides: readonly string[] = set === 'traps' ? bothSides(line) : line.split(' => ')
      const [first, second] = sides
      if (first === undefined || second === undefined || first === second) throw new Error(`Not a pair: ${line}`)
      return [{ first, second, language, group, isSame: set === 'rephrasings', isKeptAside }]
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
