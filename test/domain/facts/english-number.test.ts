import t from 'tap'
import { englishNumbersOf } from '../../../src/domain/facts/english-number.js'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { readText } from '../../../src/domain/facts/reading.js'

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

t.test('a verb that belongs to somebody else tells nothing of it', async (t) => {
  for (const [a, b] of [
    ['How do I feed the sheep?', 'How does one feed the sheep?'],
    ['Where is the deer?', 'Can you tell me where the deer is?'],
    ['Which people rang the bell?', 'Who rang the bell?']
  ] as const) {
    t.equal(factsDiffer(a, b), null, `${a} | ${b}`)
    t.equal(factsDiffer(b, a), null, `${b} | ${a}`)
  }
  const numbers = (text: string) => Object.fromEntries(englishNumbersOf(readText(text)))
  t.same(numbers('Where do you keep the sheep?'), {})
  t.same(numbers('Do they see these sheep or this sheep?'), { sheep: 'both' })
  t.same(numbers('Where are the dogs?'), {})
})
