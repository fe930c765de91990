import t from 'tap'
import { driftSigns, type DriftInput } from '../../../src/domain/drift/drift.js'
import { readDriftWords } from '../../../src/domain/drift/drift-words.js'
import { contentTerms } from '../../../src/domain/text/terms.js'
import { lexicalVector } from '../../../src/domain/words/lexical-features.js'

const inputOf = (text: string): DriftInput => ({ text, words: readDriftWords(contentTerms(text)), vector: lexicalVector(text, 384) })
const BEFORE = [{ ...inputOf('We planted tomatoes and beans in the garden behind the house'), role: 'user', dissimilarity: 0 }] as const
const openingOf = (text: string): number | undefined => driftSigns(inputOf(text), BEFORE)?.opening

t.test('a personal question opens a subject by how little it has of what was just said', async (t) => {
  t.equal(openingOf('Do you play the violin?'), 1)
  t.equal(openingOf('Do you eat tomatoes with onions?'), 0.5)
  t.equal(openingOf('Do you eat tomatoes and beans with onions?'), 0)
  t.equal(openingOf('Do you eat tomatoes and beans from the garden with onions?'), 0)
})

t.test('what is no personal question, or has nothing new, opens nothing', async (t) => {
  t.equal(openingOf('The violin is out of tune'), 0)
  t.equal(openingOf('Do you like tomatoes?'), 0)
})

t.test(
  'a personal question counts in full if it asks what the other usually does, also without a topical word, and less otherwise',
  async (t) => {
    t.equal(openingOf('So what do you do for fun?'), 1)
    t.equal(openingOf('Did you tune the violin?'), 0.5)
    t.equal(openingOf('Did you fry the tomatoes with onions?'), 0.25)
    t.equal(openingOf('The violin, and you?'), 0)
    t.equal(openingOf('Do you like it?'), 0)
  }
)

t.test('an answer that gives its question back is an answer, one that asks something else is none', async (t) => {
  const asked = [{ ...inputOf('What do you do for a living?'), role: 'user', dissimilarity: 0 }] as const
  const answering = (text: string): number | undefined => driftSigns(inputOf(text), asked)?.answering
  t.equal(answering('I repair violins.'), 1)
  t.equal(answering('I repair violins. And you?'), 1)
  t.equal(answering('I repair violins. Do you play?'), 0)
  t.equal(driftSigns(inputOf('I repair violins. And you?'), BEFORE)?.answering, 0)
})
