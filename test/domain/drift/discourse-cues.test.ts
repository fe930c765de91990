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

t.test('texts that nearly fit again and again come to an end', async (t) => {
  for (const unit of ['a', 'an', 'happy ', 'mal ', 'ok, ', 'a ', 'happy and ', 'eine ']) {
    t.notOk(isWish(unit.repeat(20_000)))
    t.notOk(isWish(`${unit.repeat(120).slice(0, 118)}z`))
    t.notOk(isAnnouncing(unit.repeat(20_000)))
  }
})
