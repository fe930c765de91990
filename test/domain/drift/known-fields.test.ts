import t from 'tap'
import { type DriftFold, driftSigns, type DriftInput, measureDrift } from '../../../src/domain/drift/drift.js'
import { readDriftWords } from '../../../src/domain/drift/drift-words.js'
import { contentTerms } from '../../../src/domain/text/terms.js'
import { lexicalVector } from '../../../src/domain/words/lexical-features.js'

const inputOf = (text: string): DriftInput => ({ text, words: readDriftWords(contentTerms(text)), vector: lexicalVector(text, 384) })
const foldOf = (text: string): DriftFold => ({ ...inputOf(text), role: 'user', dissimilarity: 0 })
const BEFORE = ['She sleeps all afternoon', 'Our kitten scratches the old sofa', 'The fur is everywhere'].map(foldOf)
const fieldsAfter = (text: string, before: readonly DriftFold[] = BEFORE): number => driftSigns(inputOf(text), before)?.fields ?? NaN

t.test('words of a field that was spoken of count as known, of others as new', async (t) => {
  t.ok(fieldsAfter('Which vet would take a puppy as well') < 0)
  t.ok(fieldsAfter('Which lawyer would take a divorce as well') > 0)
  t.equal(fieldsAfter('Which one would take it'), 0)
})

t.test('a field counts less the longer ago it was spoken of', async (t) => {
  const later = [...BEFORE, foldOf('The mortgage was approved'), foldOf('They lowered the interest')]
  t.ok(fieldsAfter('Which vet would take her', later) > fieldsAfter('Which vet would take her'))
})

t.test('a turn of a known field drifts less than one of another, where both share no word with what was said', async (t) => {
  const score = (text: string): number => measureDrift(inputOf(text), BEFORE).score
  t.ok(score('Which vet takes a puppy on Sundays') < score('Which bank takes a mortgage on Sundays'))
})
