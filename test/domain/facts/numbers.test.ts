/** Numbers and times of a text for comparison. Values that stand alone occur a second time, as words. */
import t from 'tap'
import { isComparedAsValue, isUnit, numbersOf, timesOf } from '../../../src/domain/facts/numbers.js'
import { readAtOnce } from '../../support/fact-reading.js'

const CASES: readonly (readonly [text: string, numbers: readonly string[]])[] = [
  ['It costs 1,000 dollars', ['1000', 'usd', '1000']],
  ['It costs $1,000.50', ['1000.50', 'usd', '1000.50']],
  ['Das kostet 1.000 Euro und 1,5 Liter', ['1000', 'eur', '1.5', 'l', '1000', '1.5']],
  ['It takes two hours', ['2', 'h', '2']],
  ['Es dauert zwei Stunden', ['2', 'h', '2']],
  ['come in 2 hours', ['2', 'h', 'in', '2']],
  ['within 3 days', ['3', 'd', '3']],
  ['in 5 MB', ['5', 'mb', '5']],
  ['the car drove -5 km', ['-5', 'km', '5']],
  ['the car drove −5 km', ['-5', 'km', '5']],
  ['a 10km run', ['10', 'km']],
  ['25% of it', ['25', '%', '25']],
  ['five pm', ['5', 'pm', '5']],
  ['My flight leaves at 17:30', ['17:30', '17:30']],
  ['the date 12.05.2024', ['12.05.2024', '12.05.2024']],
  ['version v1.2.3 of the tool', ['1.2.3']],
  ['the first and second, twice', ['1.', '2.', 'x2']],
  ['half of it', ['1/2']],
  ['a >= b && c', ['a >= b', 'b && c']],
  ['x + y', ['x + y']],
  ['grep -R', ['-R']],
  ['nothing of the sort', []]
]

for (const [text, numbers] of CASES) t.test(`numbers of "${text}"`, async (t) => t.same(numbersOf(readAtOnce(text)), numbers))

t.test('times go by one name, in English and German', async (t) => {
  const times = (text: string) => timesOf(readAtOnce(text))
  t.same(times('We met on Wed in March'), ['wednesday', 'march'])
  t.same(times('on Mondays'), ['monday'])
  t.same(times('Es ist Mitternacht und Januar'), ['midnight', 'january'])
  t.same(times('the weekend, at noon'), ['weekend', 'noon'])
  t.same(times('Am Morgen gehe ich'), ['morning'])
  t.same(times('heute Morgen gehe ich'), ['today', 'tomorrow'])
  t.same(times('morgen gehe ich in die Schule'), ['tomorrow'])
  t.same(times('this week'), ['this'])
  t.same(times('diese Woche gehe ich nicht'), ['this'])
})

t.test('words that mostly mean something else are no times in lower case', async (t) => {
  for (const text of ['the sun and wed', 'march on', 'I may go', 'now']) t.same(timesOf(readAtOnce(text)), [], text)
})

t.test('numbers, units behind them and times are settled, other words are not', async (t) => {
  const reading = readAtOnce('It takes 5 minutes on Monday with bananas')
  t.same(
    reading.words.filter((_, at) => isComparedAsValue(reading, at)).map(({ text }) => text),
    ['5', 'minutes', 'monday']
  )
  t.equal(isComparedAsValue(reading, 99), false)
  t.same(['km', '€', 'banana'].map(isUnit), [true, true, false])
})
