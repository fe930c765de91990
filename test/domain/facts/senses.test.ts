import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('synonyms that are none of certain things, only of these', async (t) => {
  for (const [a, b, one, other] of [
    ['How do I remove the SD card?', 'How do I erase the SD card?', 'SD card', 'account'],
    ['How do I remove the app?', 'How do I delete the app?', 'app', 'comment'],
    ['When does she end the task?', 'When does she finish the task?', ' the task', ''],
    ['How do I remove the protective film?', 'How do I remove the protective movie?', 'protective', 'horror'],
    ['Did he make the team?', 'Did he create the team?', 'the team', 'the poster'],
    ['Where is the ski lift?', 'Where is the ski elevator?', 'ski', 'glass'],
    ['Does she have a gift?', 'Does she have a present?', 'Does she have', 'Who bought'],
    ['How do I print the staff directory?', 'How do I print the staff folder?', 'staff', 'shared'],
    ['How do I activate the phone?', 'How do I turn on the phone?', 'phone', 'alarm'],
    ['Wie aktiviere ich das Handy?', 'Wie schalte ich das Handy ein?', 'Handy', 'Protokoll'],
    ['Welche Nummer hat der Wagen?', 'Welche Nummer hat das Auto?', 'Nummer', 'Farbe'],
    ['Was nutzt das Gerät?', 'Was verwendet das Gerät?', 'Was', 'Welchen Strom'],
    ['Wie erhalte ich die Farbe?', 'Wie bekomme ich die Farbe?', 'Farbe', 'Quittung']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'opposite' }, `${a} | ${b}`)
    t.same(factsDiffer(b, a), { kind: 'opposite' }, `${b} | ${a}`)
    const elsewhere = (text: string) => text.replace(one, other)
    t.equal(factsDiffer(elsewhere(a), elsewhere(b)), null, elsewhere(a))
  }
})

t.test('synonyms as verbs, two things behind an article', async (t) => {
  t.equal(factsDiffer('How do I show hidden files?', 'How do I display hidden files?'), null)
  t.not(factsDiffer('How good is the show?', 'How good is the display?'), null)
  t.equal(factsDiffer('Can I book online?', 'Can I reserve online?'), null)
  t.not(factsDiffer('Where is the book?', 'Where is the reserve?'), null)
  t.equal(factsDiffer('Who built the mill?', 'Who constructed the mill?'), null)
  t.not(factsDiffer('What is a build?', 'What is a construct?'), null)
})
