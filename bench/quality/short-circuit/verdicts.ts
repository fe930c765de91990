/**
 * The guard's verdict on each pair of the sets. `npm run bench:verdicts` stores them, so that a changed rule shows which kinds of pairs it
 * affects, intended or not.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { LANGUAGES, readPairs } from './pairs.js'

const STORED = new URL('../../results/verdicts.json', import.meta.url)

/** By language, part and heading of the sets: one word per pair, in order, separated by spaces. */
export type Verdicts = Readonly<Record<string, string>>

export function verdicts(): Verdicts {
  const found: Record<string, string> = {}
  for (const { first, second, language, part, group, isSame } of LANGUAGES.flatMap((language) => readPairs(language))) {
    const heading = `${language}, ${part}, ${isSame ? 'the same' : 'another'}: ${group}`
    const verdict = factsDiffer(first, second)?.kind ?? 'passes'
    found[heading] = found[heading] === undefined ? verdict : `${found[heading]} ${verdict}`
  }
  return found
}

export function storedVerdicts(): Verdicts {
  return JSON.parse(readFileSync(STORED, 'utf8')) as Verdicts
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(STORED, `${JSON.stringify(verdicts(), null, 1)}\n`)
