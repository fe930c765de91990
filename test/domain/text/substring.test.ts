import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import { holds, SEARCHED_UNITS_A_PIECE } from '../../../src/domain/text/substring.js'

/** All places of the phrase in the text. */
function placesOf(text: string, phrase: string): number[] {
  const places: number[] = []
  inOneGo(holds(text, phrase, (at) => places.push(at) < 0))
  return places
}

function plainPlacesOf(text: string, phrase: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) places.push(at)
  return places
}

t.test('every place is found, those that overlap as well, in order', async (t) => {
  t.same(placesOf('aaaa', 'aa'), [0, 1, 2])
  t.same(placesOf('', 'a'), [])
  t.same(placesOf('a', 'ab'), [])
  const some = (maxLength: number) =>
    fc.array(fc.constantFrom('a', 'a', 'a', 'b'), { minLength: 1, maxLength }).map((units) => units.join(''))
  fc.assert(
    fc.property(some(60), some(14), (text, phrase) => placesOf(text, phrase).join() === plainPlacesOf(text, phrase).join()),
    { numRuns: 2_000 }
  )
})

t.test('a place about the end of a piece is found', async (t) => {
  for (let before = SEARCHED_UNITS_A_PIECE - 12; before <= SEARCHED_UNITS_A_PIECE + 2; before++) {
    for (const phrase of ['x', 'xyz', 'xyzxyzxyzw']) {
      const text = `${'-'.repeat(before)}${phrase}${'-'.repeat(SEARCHED_UNITS_A_PIECE)}${phrase}`
      t.same(placesOf(text, phrase), plainPlacesOf(text, phrase))
    }
  }
})

t.test('the search ends at the first place that is wanted', async (t) => {
  const asked: number[] = []
  t.equal(inOneGo(holds('abcabcabc', 'abc', (at) => asked.push(at) === 2)), true)
  t.same(asked, [0, 3])
})
