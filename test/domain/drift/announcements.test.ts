import t from 'tap'
import { DRIFT_THRESHOLD, type DriftFold, measureDrift } from '../../../src/domain/drift/drift.js'
import { readDriftWords } from '../../../src/domain/drift/drift-words.js'
import { contentTerms } from '../../../src/domain/text/terms.js'
import { lexicalVector } from '../../../src/domain/words/lexical-features.js'

const read = (text: string) => ({ text, words: readDriftWords(contentTerms(text)), vector: lexicalVector(text, 256) })
const folds: DriftFold[] = [
  ['user', 'How do I prune the roses in spring?'],
  ['assistant', 'Cut them back to five buds.'],
  ['user', 'Which fertiliser do the roses like?'],
  ['assistant', 'One with potassium.'],
  ['user', 'How often do the roses need water?'],
  ['assistant', 'Twice a week. Are they in pots?']
].map(([role, text]) => ({ ...read(text as string), role: role as 'user' | 'assistant', dissimilarity: 0.8 }))
const score = (text: string) => measureDrift(read(text), folds).score

t.test('an announcement with new words changes the subject, and none without them', async (t) => {
  for (const text of [
    'another question, how do I change the email on my account',
    'heads up: new laptops arrive on Thursday',
    'nächstes Thema: wer organisiert das Sommerfest',
    'Mal eine Steuerfrage: kann ich das Arbeitszimmer absetzen'
  ]) {
    t.ok(score(text) >= DRIFT_THRESHOLD, `${text} ${score(text)}`)
  }
  for (const text of ['another question, please', 'another question: how often do the roses need water', 'next topic: the roses']) {
    t.ok(score(text) < DRIFT_THRESHOLD, `${text} ${score(text)}`)
  }
})

t.test('a greeting that returns none changes the subject with new words, and not without them', async (t) => {
  const talk: DriftFold[] = [
    'We planted the roses behind the house',
    'They need potassium, I think',
    'The roses had potassium in spring',
    'Then they need water'
  ].map((text) => ({ ...read(text), role: 'user', dissimilarity: 0.8 }))
  const scoreIn = (text: string, before: readonly DriftFold[]) => measureDrift(read(text), before).score
  const greeted = [...talk, { ...read('Hi Ann'), role: 'user', dissimilarity: 0.8 } as const]
  for (const lead of ['Hey Ann,', 'Hello!', 'Guten Morgen,']) {
    t.ok(scoreIn(`${lead} I gave the roses potassium in Berlin`, talk) >= DRIFT_THRESHOLD, lead)
    t.ok(scoreIn(`${lead} I gave the roses potassium in Berlin`, greeted) < DRIFT_THRESHOLD, lead)
    t.ok(scoreIn(`${lead} I gave the roses potassium in spring`, talk) < DRIFT_THRESHOLD, lead)
  }
  t.ok(scoreIn('I gave the roses potassium in Berlin', talk) < DRIFT_THRESHOLD)
})

t.test('greetings and wishes change no subject', async (t) => {
  for (const text of ['Happy new year', 'Merry Christmas to you and your family', 'Frohe Weihnachten und einen guten Rutsch']) {
    t.ok(score(text) < DRIFT_THRESHOLD, `${text} ${score(text)}`)
  }
})
