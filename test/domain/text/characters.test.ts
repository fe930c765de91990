import fc from 'fast-check'
import t from 'tap'
import { beginningOf, isLongerThan } from '../../../src/domain/text/characters.js'

t.test('a pair of surrogates is one character, and half of one as well', async () => {
  const text = fc
    .array(fc.constantFrom('a', '\ud7ff', '\ue000', '\u{10000}', '\u{10ffff}', '\ud83d', '\ude00'), { maxLength: 12 })
    .map((units) => units.join(''))
  fc.assert(fc.property(text, fc.nat(12), (one, max) => isLongerThan(one, max) === [...one].length > max))
  fc.assert(fc.property(text, fc.nat(12), (one, max) => beginningOf(one, max) === [...one].slice(0, max).join('')))
})
