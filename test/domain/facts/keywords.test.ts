import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

const ASKED: readonly (readonly [question: string, keywords: string])[] = [
  ['What is the boiling point of ethanol?', 'boiling point ethanol'],
  ['What is the boiling point of ethanol?', 'Ethanol boiling point?'],
  ["What's the phone number of Dr Patel's practice?", 'Dr Patel practice phone number'],
  ['What are the rules of the library?', 'rules of library'],
  ['What is the name of my cat?', 'my cat name'],
  ['How tall is the mast?', 'mast height'],
  ['Was ist der Siedepunkt von Ethanol?', 'Siedepunkt Ethanol']
]

const OTHERS: readonly (readonly [question: string, keywords: string])[] = [
  ['What is the mother of the bride?', 'bride of mother'],
  ['What is the boiling point of ethanol?', 'melting point ethanol'],
  ['What is the boiling point of ethanol?', 'ethanol'],
  ['What was the boiling point of ethanol?', 'ethanol boiling point'],
  ['What are the symptoms of iron deficiency?', 'iron deficiency symptom'],
  ['What is the price of the house in Rome?', 'house price'],
  ['What is the name of my dog?', 'dog name'],
  ['What is the visa for India?', 'visa from India'],
  ['What is the gold rush?', 'gold rush'],
  [`What is the end ${'of '.repeat(20)}time?`, 'end time'],
  ['What is the end of the one two three four five six seven eight?', 'one two three four five six seven eight end']
]

t.test('keywords ask for what a thing has, with its words in either order', async (t) => {
  for (const [question, keywords] of ASKED) {
    t.equal(factsDiffer(question, keywords), null, keywords)
    t.equal(factsDiffer(keywords, question), null, keywords)
  }
})

t.test('other words, another form or a preposition of their own ask for something else', async (t) => {
  for (const [question, keywords] of OTHERS) {
    t.not(factsDiffer(question, keywords), null, `${question} ${keywords}`)
    t.not(factsDiffer(keywords, question), null, `${keywords} ${question}`)
  }
})
