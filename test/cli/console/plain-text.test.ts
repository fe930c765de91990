import t from 'tap'
import { plainLine, plainLines } from '../../../src/cli/console/plain-text.js'

t.test('text of others keeps its lines and tabs, and each other control character is a blank', async (t) => {
  t.equal(plainLines('one\n\ttwo\u001b[31m\r\u0007\u009b red é 🐐'), 'one\n\ttwo [31m    red é 🐐')
})

t.test('on one line, what parts words is one blank, and the end of what is too long is told', async (t) => {
  t.equal(plainLine('one\n\t two\u001b\u0000three', 20), 'one two three')
  t.equal(plainLine('12345', 5), '12345')
  t.equal(plainLine('123456', 5), '1234…')
  t.equal(plainLine('123🔥🔥', 5), '123…', 'no half of a character')
  t.equal(plainLine('ab👨‍👩‍👧 and more', 6), 'ab…', 'no part of a family')
  t.equal(plainLine('abe\u0301cd', 4), 'ab…', 'no letter without its accent')
})

t.test('what would turn the rest of a line around is a blank, and scripts keep their letters', async (t) => {
  t.equal(plainLines('user \u202eeman\u202c \u2066a\u2069\nשלום عربي'), 'user  eman   a \nשלום عربي')
  t.equal(plainLine('user \u202e eman', 20), 'user eman')
})
