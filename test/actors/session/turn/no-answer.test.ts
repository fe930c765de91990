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
    'I am not sure. Let me check.',
    'I dont know.',
    'Don’t know.',
    'I do not really remember.',
    'I really don’t recall.',
    'I didn’t see any.',
    'I don’t have enough to go by.',
    'Still have no record.',
    'I can not say.',
    'I couldn’t find it.',
    'I am unable to tell.',
    'That is not known.',
    'It isn’t clear.',
    'Not that I know.',
    'Oh well, no clue.',
    'I’m so sorry, but I can’t help.',
    'I am afraid I do not know.',
    'Kein Plan.',
    'Weiß nicht.',
    'Weiss ich leider nicht.',
    'Da weiß ich so auf Anhieb nicht.',
    'Ich bin mir da leider nicht sicher.',
    'Ich bin mir unsicher.',
    'Dazu habe ich leider keine Angaben.',
    'Hab ich keinen Plan von.',
    'Ich hab dazu leider keine Daten.',
    'Ich habe keine Ahnung.',
    'Das kann ich dir leider nicht sagen.',
    'Ich kann dir das leider auch nicht beantworten.',
    'Nicht dass ich wüsste.'
  ]) {
    t.ok(isNoAnswer(text), text)
  }
})

t.test('thanks, offers, and what is asked of the other leave it open beside what does', async (t) => {
  for (const filling of [
    'Sorry.',
    'I am so sorry about that.',
    'Please wait.',
    'One moment.',
    'I’ll look it up.',
    'I could ask.',
    'If you like, we call them.',
    'You could tell me more.',
    'Entschuldige.',
    'Es tut mir leid.',
    'Lass mich nachsehen.',
    'Bitte warte kurz.',
    'Wenn Sie mögen, rufe ich an.',
    'Ich schaue nach.',
    'Ich frage gleich mal nach.',
    'Ich prüfe das.'
  ]) {
    t.ok(isNoAnswer(`I don't know. ${filling}`), filling)
    t.notOk(isNoAnswer(filling), `${filling} alone`)
  }
  for (const said of [
    'The shop is sorry.',
    'Pleased to hear it.',
    'You could ask Ann.',
    'Ich sehe den Bus.',
    'Ich frage Anna.',
    'Bitterschokolade.'
  ])
    t.notOk(isNoAnswer(`I don't know. ${said}`), said)
})

t.test('what goes on with something that is known is an answer', async (t) => {
  for (const text of ['I don’t know, however it was level 5.', 'Ich weiß es nicht, aber der Hund ist da.', 'No idea, but butter is cheap.'])
    t.notOk(isNoAnswer(text), text)
  for (const text of ['I don’t know, but you can ask.', 'Keine Ahnung, aber ich frage nach.', 'I don’t know about butterflies.'])
    t.ok(isNoAnswer(text), text)
})

t.test('what is longer than 240 characters says something', async (t) => {
  const spaced = (length: number): string => `I don't know.${' '.repeat(length - 19)}Sorry.`
  t.ok(isNoAnswer(spaced(240)))
  t.notOk(isNoAnswer(spaced(241)))
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
    'The sign says I don’t know.',
    'Das Schild sagt: keine Ahnung.',
    'Anna schreibt, ich weiß das nicht.',
    'Morgen kann ich das nicht sagen.',
    'Ich habe kein Auto.',
    'I have no car.',
    'I don’t have apples, they are out of season.',
    'Ich bin sicher.',
    ''
  ]) {
    t.notOk(isNoAnswer(text), text)
  }
  t.notOk(isNoAnswer(`I don't know. ${'It was said at length. '.repeat(20)}`))
})
