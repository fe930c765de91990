import t from 'tap'
import { isNoAnswer } from '../../../../actors/session/turn/no-answer.js'

t.test('what does not know, or only asks back, leaves a question open', async (t) => {
  for (const text of [
    "I don't know, sorry.",
    'Sorry, I don’t know.',
    'Das weiß ich leider nicht.',
    "I'm not sure.",
    'Keine Ahnung.',
    'Which bus do you mean?',
    "I'm sorry, but I don't have that information. Could you tell me more?",
    'Leider habe ich dazu keine Informationen.',
    'Welchen Bus meinst du?',
    'No idea, but I can look it up.',
    'Ich weiß es nicht.',
    'I am not sure. Let me check.'
  ]) {
    t.ok(isNoAnswer(text), text)
  }
})

t.test('what says anything of the matter is an answer', async (t) => {
  for (const text of [
    'You live in Cork.',
    "I don't know the floor, but the car is in row 4.",
    'No.',
    'Nein, das geht nicht.',
    'At nine. Shall I wake you?',
    "I'm not sure. It was level 5 yesterday.",
    'Ich habe keinen Hund.',
    'Sorry, we are closed on Sundays.',
    'OK.',
    ''
  ]) {
    t.notOk(isNoAnswer(text), text)
  }
  t.notOk(isNoAnswer(`I don't know. ${'It was said at length. '.repeat(20)}`))
})
