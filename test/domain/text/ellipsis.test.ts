import t from 'tap'
import { isElliptic } from '../../../src/domain/text/ellipsis.js'

t.test('what means something only beside what was said before it is elliptic', async (t) => {
  for (const text of [
    'yes',
    'yes please',
    'ok',
    'go on',
    'never mind',
    'why not?',
    'Close it.',
    'Escalate this one.',
    'looks good, merge it',
    'Next ticket please.',
    'the second one',
    'How much does it cost?',
    'What about that?',
    'And in German?',
    'What about Berlin?',
    'is that all?',
    'ja bitte',
    'weiter',
    'Schließ es',
    'Mach das',
    'Was kostet das?',
    'Nächste Frage bitte.',
    '?',
    '👍🏽',
    ';-)',
    'ok merci beaucoup',
    'muchas gracias',
    'grazie mille',
    'D’accord !',
    'спасибо',
    'はい',
    '谢谢',
    'شكرا'
  ])
    t.ok(isElliptic(text), text)
})

t.test('what says itself what it is about is not', async (t) => {
  for (const text of [
    'Who are you?',
    'How are you?',
    'Wie geht es dir?',
    'Where do I live?',
    'Order status?',
    'What is for dinner?',
    'Why is the sky blue?',
    'How do I install it on Debian?',
    'Is it safe to eat raw eggs?',
    'Where is that restaurant?',
    'Wie wird das Wetter?',
    "Wie war's beim Zahnarzt?",
    'Wo ist der nächste Arzt?',
    'Qué es vale?',
    '今日の天気は',
    '2 + 2',
    'x'.repeat(200)
  ])
    t.notOk(isElliptic(text), text)
})
