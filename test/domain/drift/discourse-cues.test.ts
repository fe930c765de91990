import t from 'tap'
import { isAnnouncing, isAsking, isOpenQuestion, isPersonalQuestion, isWish } from '../../../src/domain/drift/discourse-cues.js'

t.test('questions and requests ask, statements do not', async (t) => {
  const asked = ['How are you?', 'how do i create an index', 'Hi, can you help', 'Erkläre mir das', 'wie spät ist es', 'Write a poem']
  for (const text of asked) t.ok(isAsking(text), text)
  for (const text of ['I like tea', 'Howard is here', 'see https://x.org/?q=1&r', 'Ich mag Tee']) t.notOk(isAsking(text), text)
})

t.test('a question about the other is personal, a request is not', async (t) => {
  t.ok(isPersonalQuestion('do you have pets?'))
  t.ok(isPersonalQuestion('Hast du Haustiere?'))
  for (const text of ['Can you explain joins?', 'What is a join?', 'you are right']) t.notOk(isPersonalQuestion(text), text)
})

t.test('every word for the other makes a question personal, where it is a word of its own and no request', async (t) => {
  for (const word of 'you your yours u ur du dich dir dein deinem euch euer eure eurem'.split(' ')) {
    t.ok(isPersonalQuestion(`and ${word}?`), word)
    t.ok(isPersonalQuestion(`${word.toUpperCase()}, really?`), word)
    for (const other of [`x${word}`, `4${word}`, `${word}4`]) t.notOk(isPersonalQuestion(`and ${other}?`), other)
  }
  for (const verb of 'can could would will kannst könntest würdest können könnten würden'.split(' ')) {
    t.notOk(isPersonalQuestion(`${verb} you tell?`), verb)
    t.notOk(isPersonalQuestion(`So, ${verb} u tell dich?`), verb)
    for (const other of [`x${verb} you`, `4${verb} you`, `${verb} youx dir`, `${verb} you4 dir`])
      t.ok(isPersonalQuestion(`${other}, you?`), other)
  }
  for (const whom of 'you u du sie ihr mir'.split(' ')) t.notOk(isPersonalQuestion(`can ${whom}, and you?`), whom)
  t.ok(isPersonalQuestion('can they, and you?'))
})

t.test('every word that begins a question asks, after words of address too, where it is a word of its own', async (t) => {
  const english =
    'what how why when where who whom whose which can could do does did is are was were should would will may shall has have_you ' +
    "tell explain write show give help find make create list translate describe summarise summarize compare let's i_want i_need i'd_like"
  const german =
    'wie was warum wieso weshalb wann wo woher wohin wer wem wen welche welcher welches welchem welchen kann kannst können könnte ' +
    'könntest ist sind soll sollte darf muss gibt_es hast_du haben_sie erklär erkläre schreib schreibe zeig zeige gib hilf finde mach ' +
    'übersetz übersetze beschreib beschreibe nenn nenne ich_möchte ich_will ich_brauche'
  for (const word of `${english} ${german}`.split(' ').map((name) => name.replace('_', ' '))) {
    t.ok(isAsking(`${word} it`), word)
    for (const other of [`it ${word}`, `${word}q it`, `${word}4 it`]) t.notOk(isAsking(other), other)
  }
  for (const lead of 'hi hey hello ok okay so and but please hallo und aber bitte also'.split(' ')) {
    t.ok(isAsking(`${lead}, "${lead}: how it is`), lead)
    t.notOk(isAsking(`${lead}how it is`), lead)
  }
})

t.test('a question mark asks at either end of a long text, before white space or a closing mark', async (t) => {
  const long = 'It rained. '.repeat(40)
  for (const mark of '?؟？') {
    for (const end of ['', ' ', '\n', '"', "'", ') x', ']']) t.ok(isAsking(`Rain${mark}${end}`), `${mark}${end}`)
    t.ok(isAsking(`Rain${mark} ${long}`))
    t.ok(isAsking(`${long}Rain${mark}`))
  }
  t.notOk(isAsking('Rain?x'))
  t.notOk(isAsking(`${long}Rain? ${long}`))
})

t.test('a question near the end is open, one at the start of a long text is not', async (t) => {
  t.ok(isOpenQuestion('I have a dog. And you?'))
  t.notOk(isOpenQuestion(`What is it? ${'A long answer follows. '.repeat(40)}`))
})

t.test('what announces something else says so before a mark', async (t) => {
  for (const text of [
    'another question, how do I change the email on my account',
    'heads up: new laptops arrive on Thursday',
    'next topic: the party',
    'different topic - the party',
    'btw, different subject: my bike',
    'nächstes Thema: wer organisiert das Sommerfest',
    'Mal eine Steuerfrage: kann ich das absetzen',
    'Themenwechsel: der Drucker',
    'andere Frage: wann kommt der Bus',
    'ganz was anderes: der Bus'
  ]) {
    t.ok(isAnnouncing(text), text)
  }
  for (const text of [
    'The next topic is hard',
    'another question of taste',
    'Heads up the hill',
    'Das Thema ist neu',
    'Ich habe keine Frage'
  ]) {
    t.notOk(isAnnouncing(text), text)
  }
})

t.test('a greeting or a wish is nothing else', async (t) => {
  for (const text of [
    'Happy new year',
    'Merry Christmas to you and your family',
    'Frohe Weihnachten und einen guten Rutsch',
    'Alles Gute zum Geburtstag',
    'Schönes Wochenende',
    'Good morning everyone',
    'Guten Morgen zusammen'
  ]) {
    t.ok(isWish(text), text)
  }
  for (const text of [
    'Happy with the laptop',
    'Good morning. The laptop is broken',
    'Happy new year, is the laptop there?',
    'Christmas is near',
    ''
  ]) {
    t.notOk(isWish(text), text)
  }
})

t.test('a wish has 120 characters at most', async (t) => {
  t.ok(isWish('Happy birthday to all '.padEnd(120, 'x')))
  t.notOk(isWish('Happy birthday to all '.padEnd(121, 'x')))
})

t.test('texts that nearly fit again and again come to an end', async (t) => {
  for (const unit of ['a', 'an', 'happy ', 'mal ', 'ok, ', 'a ', 'happy and ', 'eine ']) {
    t.notOk(isWish(unit.repeat(20_000)))
    t.notOk(isWish(`${unit.repeat(120).slice(0, 118)}z`))
    t.notOk(isAnnouncing(unit.repeat(20_000)))
  }
})
