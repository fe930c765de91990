/**
 * Pairs of texts written for this measurement, English and German. Traps use similar words but ask or state something else: one line, with
 * both sides of each difference in braces, `How do I {lock|unlock} it?`. Rephrasings mean the same: `one text => the other`.
 */
import { existsSync, readFileSync } from 'node:fs'

export const LANGUAGES = ['english', 'german'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * Parts: the pairs on which rules are developed, and held-out thirds, each in its own folder. Once a pair of a third has been inspected,
 * that third is used for development, so not every language has each part. A second author had seen no rules; some words were taken from
 * those pairs. Neither had a third one, who wrote in free wording, nor a fourth, whose missed traps were fixed.
 */
export const PARTS = [
  'worked on',
  'by another hand',
  'by a third hand',
  'by a fourth hand',
  'kept aside',
  'kept aside, fifth set',
  'kept aside, sixth set',
  'kept aside, ninth set',
  'kept aside, tenth set',
  'kept aside, by another hand'
] as const
export type Part = (typeof PARTS)[number]
const FOLDERS: Readonly<Record<Part, string>> = {
  'worked on': '',
  'by another hand': 'another-hand/',
  'by a third hand': 'third-hand/',
  'by a fourth hand': 'fourth-hand/',
  'kept aside': 'kept-aside/',
  'kept aside, fifth set': 'kept-aside/fifth/',
  'kept aside, sixth set': 'kept-aside/sixth/',
  'kept aside, ninth set': 'kept-aside/ninth/',
  'kept aside, tenth set': 'kept-aside/tenth/',
  'kept aside, by another hand': 'kept-aside/another-hand/'
}

export interface TextPair {
  readonly first: string
  readonly second: string
  readonly language: Language
  /** Heading of the pair: the kind of fact in which a trap differs, or the domain or means of a rephrasing. */
  readonly group: string
  readonly isSame: boolean
  readonly part: Part
}

/** Returns all traps and rephrasings of a language, in the order of their files. */
export function readPairs(language: Language, parts: readonly Part[] = PARTS): TextPair[] {
  return parts.flatMap((part) => [...readSet({ language, set: 'traps', part }), ...readSet({ language, set: 'rephrasings', part })])
}

interface PairSet {
  readonly language: Language
  readonly set: 'traps' | 'rephrasings'
  readonly part: Part
}

function readSet({ language, set, part }: PairSet): TextPair[] {
  const file = new URL(`sets/${FOLDERS[part]}${language}-${set}.txt`, import.meta.url)
  if (!existsSync(file)) return []
  let group = ''
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) group = line.slice(2)
      if (line === '' || line.startsWith('# ')) return []
      const sides: readonly string[] = set === 'traps' ? bothSides(line) : line.split(' => ')
      const [first, second] = sides
      if (first === undefined || second === undefined || first === second) throw new Error(`Not a pair: ${line}`)
      return [{ first, second, language, group, isSame: set === 'rephrasings', part }]
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
