import t from 'tap'
import { isAnnouncing, isAsking, isReply, isWish, personalShare } from '../../../src/domain/drift/discourse-cues.js'

const announces = (text: string, before: readonly string[] = []): boolean => isAnnouncing(text, { news: ['zebra'], before })

t.test('questions and requests ask, statements do not', async (t) => {
  const asked = ['How are you?', 'how do i create an index', 'Hi, can you help', 'Erkläre mir das', 'wie spät ist es', 'Write a poem']
  for (const text of asked) t.ok(isAsking(text), text)
  for (const text of ['I like tea', 'Howard is here', 'see https://x.org/?q=1&r', 'Ich mag Tee']) t.notOk(isAsking(text), text)
})

t.test('a question about the other is personal, a request is not', async (t) => {
  t.equal(personalShare('do you have pets?', true), 1)
  t.equal(personalShare('Hast du Haustiere?', true), 1)
  for (const text of ['Can you explain joins?', 'What is a join?', 'you are right']) t.equal(personalShare(text, true), 0, text)
})

t.test('every word for the other makes a question personal, where it is a word of its own and no request', async (t) => {
  for (const word of 'you your yours u ur du dich dir dein deinem euch euer eure eurem'.split(' ')) {
    t.equal(personalShare(`and ${word} dog?`, true), 0.5, word)
    t.equal(personalShare(`${word.toUpperCase()}, really?`, true), 0.5, word)
    for (const other of [`x${word}`, `4${word}`, `${word}4`]) t.equal(personalShare(`and ${other} dog?`, true), 0, other)
  }
  for (const verb of 'can could would will kannst könntest würdest können könnten würden'.split(' ')) {
    t.equal(personalShare(`${verb} you tell?`, true), 0, verb)
    t.equal(personalShare(`So, ${verb} u tell dich?`, true), 0, verb)
    for (const other of [`x${verb} you`, `4${verb} you`, `${verb} youx dir`, `${verb} you4 dir`])
      t.equal(personalShare(`${other}, your dog?`, true), 0.5, other)
  }
  for (const whom of 'you u du sie ihr mir'.split(' ')) t.equal(personalShare(`can ${whom}, and your dog?`, true), 0, whom)
  t.equal(personalShare('can they, and your dog?', true), 0.5)
})

t.test('what somebody is, has or usually does is asked to open a subject, anything else less so, a question given back not', async (t) => {
  const general = [
    ...[
      'Do you have pets?',
      'cool. what do you do for fun?',
      "don't you like jazz?",
      'Are you married?',
      'so are u a nurse?',
      'Have you ever sailed?'
    ],
    ...["What's your favourite film?", 'what is your job?', 'any idea? your favorite colour?', 'Where do you live, if I may ask?'],
    ...['Magst du Jazz?', 'Was machst du beruflich?', 'Wie heißt du?', 'Bist du verheiratet?', 'Hast du Geschwister?']
  ]
  for (const text of general) t.equal(personalShare(text, true), 1, text)
  const particular = [
    ...[
      'Did you cook the stew?',
      'have you tried swimming?',
      'were you at the station?',
      'Do you think it snows?',
      'do you want the recipe?'
    ],
    ...[
      'Are you cooking tonight?',
      'are you sure about the train?',
      'So you sit in the dark?',
      'How are you and the dog?',
      'Is that your dog?'
    ],
    ...[
      'Hast du schon gegessen?',
      'Bist du gestern gereist?',
      'Hast du den Garten fotografiert?',
      'Glaubst du, es schneit?',
      'Machtest du Musik?'
    ]
  ]
  for (const text of particular) t.equal(personalShare(text, true), 0.5, text)
  for (const text of ['Vietnam, for the food. And you?', 'soup, you ?', 'I like jazz. What about you?', 'Ich mag Jazz, und du?']) {
    t.equal(personalShare(text, true), 0, text)
  }
})

t.test(
  'every verb of opinion or wishing, and what somebody is doing just now, makes a question particular, as a word of its own',
  async (t) => {
    const verbs = 'think mean know want need agree understand remember see recommend suggest mind guess believe suppose say'.split(' ')
    for (const verb of verbs) {
      t.equal(personalShare(`do you ${verb} the tram is late?`, true), 0.5, verb)
      t.equal(personalShare(`do you ${verb}x trams?`, true), 1, verb)
    }
    for (const word of 'sure able ok okay serious kidding gonna cooking'.split(' ')) {
      t.equal(personalShare(`are you ${word} tram?`, true), 0.5, word)
      t.equal(personalShare(`are you ${word}x tram?`, true), 1, word)
    }
    for (const verb of 'warst meinst denkst glaubst weißt willst brauchst verstehst empfiehlst findest machtest'.split(' ')) {
      t.equal(personalShare(`${verb} du Kuchen?`, true), 0.5, verb)
    }
    for (const lead of ['and ', 'so ', 'but ', 'what about ', 'how about ', 'how are ', 'und ', 'aber ', 'was ist mit ', '']) {
      for (const word of 'you u du dir dich'.split(' ')) t.equal(personalShare(`I like trams. ${lead}${word}?`, true), 0, lead + word)
    }
  }
)

t.test('without a topical word a question about the other opens a subject only if it is general and points at nothing', async (t) => {
  for (const text of ['what do you do for fun?', 'What do you do?', 'Was machst du so?']) t.equal(personalShare(text, false), 1, text)
  for (const text of ['do you like it?', 'Did you?', 'how are you?', 'and you?', 'Magst du das?'])
    t.equal(personalShare(text, false), 0, text)
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
  t.ok(isReply('Yes.', ['I have a dog. And you?']))
  t.notOk(isReply('Yes.', ['And you?', 'I have a dog.']))
  t.notOk(isReply('Yes.', []))
  t.notOk(isReply('Yes.', [`What is it? ${'A long answer follows. '.repeat(40)}`]))
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
    t.ok(announces(text), text)
  }
  for (const text of [
    'The next topic is hard',
    'another question of taste',
    'Heads up the hill',
    'Das Thema ist neu',
    'Ich habe keine Frage'
  ]) {
    t.notOk(announces(text), text)
  }
})

t.test('a greeting announces something else, unless it returns one', async (t) => {
  for (const word of 'hi hiya hey hello good_morning good_afternoon good_evening hallo moin servus guten_Morgen guten_Tag guten_Abend'.split(
    ' '
  )) {
    const greeting = word.replace('_', ' ')
    for (const lead of [`${greeting},`, `${greeting.toUpperCase()} Zoë!`, `${greeting} again -`, `${greeting} all:`]) {
      t.ok(announces(`${lead} the zebra is back`), lead)
      t.ok(announces(`${lead} the zebra is back`, ['it rained', 'yes']), lead)
      for (const before of [`${greeting} how are you`, `"${greeting}", she said`])
        t.notOk(announces(`${lead} the zebra is back`, [before, 'yes']), before)
    }
    for (const other of [`${greeting} can you feed the zebra`, `the zebra says ${greeting}, always`, `${greeting}z, the zebra`])
      t.notOk(announces(other), other)
    t.ok(announces(`${greeting}, the zebra is back`, [`the zebra says ${greeting}`, `${greeting}z`]), greeting)
  }
})

t.test('what is new has to follow an announcement or a greeting', async (t) => {
  for (const text of ['next topic: the trip', 'hey zebra, thanks', 'another zebra question: what now']) {
    t.equal(isAnnouncing(text, { news: [], before: [] }), false, text)
    t.equal(isAnnouncing(text, { news: ['zebra'], before: [] }), text.startsWith('next'), text)
    t.equal(isAnnouncing(text, { news: ['zebra', 'lion'], before: [] }), true, text)
  }
  t.ok(isAnnouncing('hi all, next topic: the trip', { news: ['trip'], before: [] }))
})

t.test('an answer asks nothing, or only gives the question back', async (t) => {
  const long = 'It rained. '.repeat(40)
  for (const text of [
    ...['A nurse. And you?', 'pretty good, you?', 'What about you?', "I'm fine, how are you?", 'Drei Katzen, und du?', 'It rained.', ''],
    ...[`${long}And you?`, `And you? ${long}`]
  ]) {
    t.ok(isReply(text, ['What?', 'And you?']), text)
  }
  for (const text of [
    ...['A nurse. What do you do?', 'Really? I am a nurse. And you?', 'A nurse. And you? Or are you retired?', 'do I have cats, and you?'],
    ...['Is it? And you?', `${long}Why?`, `Why? ${long}`]
  ]) {
    t.notOk(isReply(text, ['What?', 'And you?']), text)
  }
})

t.test('a greeting returned is a reply, even if it asks', async (t) => {
  for (const text of ['Hello Ann!', 'hey, how are you?', 'Guten Morgen. Wo wohnst du?']) {
    for (const last of ['hi', 'Hallo, ich bin Zoë.', 'Good evening, the train is late'])
      t.ok(isReply(text, ['The train is late.', last]), `${last} ${text}`)
    t.notOk(isReply(text, ['The train is late, hello']), text)
    t.notOk(isReply(`So ${text}?`, ['hi']), text)
    t.notOk(isReply(text, ['hi', 'hello']), `greets each time: ${text}`)
    t.ok(isReply(text, ['hi']), text)
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
    t.notOk(announces(unit.repeat(20_000)))
  }
})
