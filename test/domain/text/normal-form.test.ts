import fc from 'fast-check'
import t from 'tap'
import { compatibilityForm } from '../../../src/domain/text/normal-form.js'

t.test('texts are brought to NFKC', async () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (text) => /[\ufdfa\ufdfb]/.test(text) || compatibilityForm(text) === text.normalize('NFKC')
    )
  )
})

t.test('a character that stands for a phrase stays one, so that no text becomes more than six times as long', async (t) => {
  t.equal(compatibilityForm('\ufdfaﬁ\ufdfb'), '\ufdfafi\ufdfb')
  for (let code = 0; code < 0x110000; code++) {
    const character = String.fromCodePoint(code)
    const times = compatibilityForm(character).length / character.length
    if (times > 6) t.fail(`U+${code.toString(16)} becomes ${String(times)} times as long`)
  }
})

t.test('of a row of combining marks the first 30 stay, whatever makes them marks', async (t) => {
  t.equal(compatibilityForm(`a${'\u0316'.repeat(100_000)}b`), `a${'\u0316'.repeat(30)}b`)
  t.equal(compatibilityForm('\u0338\uff9e'.repeat(50_000)).length, 30)
  t.equal(compatibilityForm(`${'a'.repeat(40)}${'\u0316'.repeat(30)}`).length, 70)
})
