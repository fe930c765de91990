import fc from 'fast-check'
import t from 'tap'
import { beginningOf, clusterStart, isLongerThan, upTo } from '../../../src/domain/text/characters.js'

t.test('a pair of surrogates is one character, and half of one as well', async () => {
  const text = fc
    .array(fc.constantFrom('a', '\ud7ff', '\ue000', '\u{10000}', '\u{10ffff}', '\ud83d', '\ude00'), { maxLength: 12 })
    .map((units) => units.join(''))
  fc.assert(fc.property(text, fc.nat(12), (one, max) => isLongerThan(one, max) === [...one].length > max))
  fc.assert(fc.property(text, fc.nat(12), (one, max) => beginningOf(one, max) === [...one].slice(0, max).join('')))
})

t.test('a text is cut between letters with their marks, flags and joined emoji', async (t) => {
  for (const [letter, text] of [
    ['é', 'caf\u0065\u0301'],
    ['हि', 'नहि'],
    ['👨‍👩‍👧', 'we 👨‍👩‍👧'],
    ['🇯🇵', 'in 🇯🇵'],
    ['ที่', 'ดที่'],
    ['👍🏽', 'ok 👍🏽']
  ] as const) {
    const start = text.length - letter.normalize('NFD').length
    for (let at = start + 1; at < text.length; at++) t.equal(upTo(text, at), text.slice(0, start), `${text} ${String(at)}`)
    t.equal(upTo(text, text.length), text)
  }
})

const isHalved = (text: string): boolean => /\p{Cs}/u.test(text)

t.test('a cut ends for any text, and never within a surrogate pair', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 80 })
  fc.assert(
    fc.property(text, fc.integer({ min: -1, max: 90 }), (one, at) => {
      const start = clusterStart(one, at)
      return start >= 0 && start <= Math.min(Math.max(at, 0), one.length) && (isHalved(one) || !isHalved(one.slice(0, start)))
    })
  )
  const marks = `a${'\u0301'.repeat(5000)}`
  fc.assert(fc.property(fc.integer({ min: 100, max: 5000 }), (at) => clusterStart(marks, at) > at - 65))
})
