import t from 'tap'
import { isAsking } from '../../../src/domain/drift/discourse-cues.js'
import { namedOrder } from '../../../src/domain/text/named-order.js'

t.test('words of order that qualify the telling are told from those of what is told', async (t) => {
  for (const [text, place] of [
    ['What was the first thing I told you about the boat?', 'first'],
    ['What did I say last about the boat?', 'last'],
    ['what did I tell you about the boat at first', 'first'],
    ['my latest message about the boat', 'last'],
    ['What is the latest on the boat?', 'last'],
    ['What did I report in the first standup?', 'first'],
    ['When was the regatta at first?', 'first'],
    ['What was the original name of the boat?', 'first'],
    ['Wie hieß das Boot ursprünglich?', 'first'],
    ['What came after the regatta?', 'after'],
    ['What did I say right before the regatta?', 'before'],
    ['Was habe ich als Erstes über das Boot gesagt?', 'first'],
    ['Was habe ich zuletzt vom Boot erzählt?', 'last'],
    ['Was war das Erste, was ich über das Boot gesagt habe?', 'first'],
    ['Was kam nach der Regatta?', 'after'],
    ['Was habe ich erzählt, bevor das Boot gestrichen wurde?', 'before'],
    ['¿Qué fue lo primero que te conté del barco?', 'first'],
    ['Quelle est la dernière chose que je t’ai dite sur le bateau ?', 'last']
  ] as const)
    t.equal(namedOrder(text, isAsking(text))?.place, place, text)
  for (const text of [
    'What was my first boat?',
    'At first I was afraid of the boat.',
    'Good to talk to you again. Anything new since last time?',
    'What did I say about my first boat?',
    'Where was the last regatta?',
    'Who lives on the first floor?',
    'What did Ruth do after the regatta?',
    'What did I do last week?',
    'Wie hieß das erste Boot?',
    'Was habe ich über das erste Boot gesagt?',
    'What was at the beginning of the race?',
    'Was ist am Anfang wichtig?',
    'Was kostet das Boot nach Kiel?',
    `What did I say first about ${'x'.repeat(200)}?`
  ])
    t.equal(namedOrder(text, isAsking(text)), null, text)
})

t.test('what is left is the matter, and beside another one what that was', async (t) => {
  t.match(namedOrder('What was the first thing I told you about the boat?', true)?.matter, /about the boat/)
  t.notMatch(namedOrder('What was the first thing I told you about the boat?', true)?.matter, /first|told/)
  t.match(namedOrder('What did Ruth tell us before she bought the boat?', true), { matter: 'Ruth', landmark: /bought the boat/ })
})
