import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

const DIFFERENT: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'what a small word is said of': [
    ['Only adults may enter the room', 'Adults may enter only the room'],
    ['Hat nur Anna das Buch gelesen?', 'Hat Anna nur das Buch gelesen?'],
    ['Do all boys like some girls?', 'Do some boys like all girls?']
  ],
  'what stands before two things': [
    ['What do 2 adults and 3 children pay?', 'What do 3 adults and 2 children pay?'],
    ['Did the lost boy find the dog?', 'Did the boy find the lost dog?'],
    ['Passt ein roter Hut und ein blauer Mantel?', 'Passt ein blauer Hut und ein roter Mantel?']
  ],
  'whom a verb acts on': [
    ['I want you to pay', 'I want to pay you'],
    ['Should we ask her to call?', 'Should we call to ask her?']
  ],
  'the clause that a word stands in': [
    ['Do I paint when I sand?', 'Do I sand when I paint?'],
    ['Ich esse, bevor ich dusche', 'Ich dusche, bevor ich esse'],
    ['Wie alt war Leopold, als sein Sohn starb', 'Wie alt war sein Sohn, als Leopold starb'],
    ['Soll ich erst essen und dann duschen?', 'Soll ich erst duschen und dann essen?']
  ]
}

for (const [kind, pairs] of Object.entries(DIFFERENT)) {
  t.test(`texts that differ in ${kind} are told apart`, async (t) => {
    for (const [a, b] of pairs) t.not(factsDiffer(a, b), null, `${a} | ${b}`)
  })
}

t.test('a clause says the same at the beginning and at the end', async (t) => {
  t.equal(factsDiffer('Bevor ich esse, dusche ich', 'Ich dusche, bevor ich esse'), null)
  t.equal(factsDiffer('Als ich ankam, war ich müde', 'Ich war müde, als ich ankam'), null)
  t.equal(factsDiffer('If it rains, is the match cancelled?', 'Is the match cancelled if it rains?'), null)
})
