import t from 'tap'
import { englishNumbersOf } from '../../../src/domain/facts/english-number.js'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { readAtOnce } from '../../support/fact-reading.js'

t.test('a noun of one form is told by its verb', async (t) => {
  for (const [a, b] of [
    ['Where is the deer?', 'Where are the deer?'],
    ['Was the salmon fresh?', 'Were the salmon fresh?'],
    ['Has the spacecraft landed?', 'Have the spacecraft landed?'],
    ['Which series does the channel show?', 'Which series do the channels show?'],
    ['What does the sheep eat?', 'What do the sheep eat?'],
    ['Which person rang the bell?', 'Which people rang the bell?'],
    ['What person did Rosa thank?', 'What people did Rosa thank?']
  ] as const) {
    t.not(factsDiffer(a, b), null, `${a} | ${b}`)
    t.not(factsDiffer(b, a), null, `${b} | ${a}`)
  }
})

const numbers = (text: string) => Object.fromEntries(englishNumbersOf(readAtOnce(text)))

t.test('a verb that belongs to somebody else tells nothing of it', async (t) => {
  for (const [a, b] of [
    ['How do I feed the sheep?', 'How does one feed the sheep?'],
    ['Where is the deer?', 'Can you tell me where the deer is?'],
    ['Which people rang the bell?', 'Who rang the bell?']
  ] as const) {
    t.equal(factsDiffer(a, b), null, `${a} | ${b}`)
    t.equal(factsDiffer(b, a), null, `${b} | ${a}`)
  }
  t.same(numbers('Where do you keep the sheep?'), {})
  t.same(numbers('Do they see these sheep or this sheep?'), { sheep: 'both' })
  t.same(numbers('Where are the dogs?'), {})
})

t.test('what stands before a noun of one form says its number, else the only verb that does', async (t) => {
  for (const before of ['a', 'this', 'that', 'each', 'every', 'another'])
    t.same(numbers(`Who saw ${before} sheep yesterday?`), { sheep: 'one' }, before)
  for (const before of ['these', 'those', 'many', 'several', 'few', 'all', 'both'])
    t.same(numbers(`Who saw ${before} sheep yesterday?`), { sheep: 'several' }, before)
  for (const verb of ['is', 'was', 'has']) t.same(numbers(`The sheep ${verb} grey`), { sheep: 'one' }, verb)
  for (const verb of ['are', 'were', 'have']) t.same(numbers(`The sheep ${verb} grey`), { sheep: 'several' }, verb)
  t.same(numbers('This sheep are grey'), { sheep: 'one' }, 'what stands before it first')
  t.same(numbers('The sheep was grey and the barn is red'), {}, 'two verbs, of which one may be that of another')
  t.same(numbers('Who saw the sheep?'), {})
  t.same(numbers('You have sheep'), {}, 'nor one that says who')
  t.same(numbers('Who saw overall sheep?'), {})
  for (const noun of ['hovercraft', 'portuguese', 'species', 'offspring']) t.same(numbers(`The ${noun} were here`), { [noun]: 'several' })
  for (const noun of ['craftsman', 'sheepdog', 'fireworks']) t.same(numbers(`The ${noun} were here`), {}, noun)
})
