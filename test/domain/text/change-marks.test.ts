import t from 'tap'
import { endedIn, isCorrection, isMarkedAsChange, subjectOfCorrection, tellsGoal } from '../../../src/domain/text/change-marks.js'

t.test('a text takes back what was said by saying so, or by a hesitation without a subject of its own', async (t) => {
  for (const text of [
    'Scratch that, make it eight.',
    'Sorry, I meant v2.4.1.',
    'No wait, it is amoxicillin.',
    'Actually, on Thursday.',
    'Make that 5.',
    'Wrong link, the right one is below.',
    'Nein, doch am Donnerstag.',
    'Ach nein, lieber fünf.',
    'Falscher Link, richtig ist der hier.',
    'Ich habe mich vertan, es sind 5.'
  ])
    t.ok(isCorrection(text), text)
  for (const text of [
    'Actually, the car is due on Thursday.',
    'Sorry, I was away.',
    'No wait, before I forget: the vet called.',
    'Scratch the taxi, we walk.',
    'It is on Thursday.',
    'Make that 5?',
    'Nein, das Auto muss in die Werkstatt.',
    'Quatsch mit dem Taxi, wir laufen.',
    ''
  ])
    t.notOk(isCorrection(text), text)
})

t.test('what a text says to be ended are the words of its clause, not what comes instead or what it is for', async (t) => {
  for (const [text, ended] of [
    ['I sold the car and cycle to work.', 'the car'],
    ['I replaced the Pixel 6 with a Fairphone.', 'the Pixel 6'],
    ['I no longer take ibuprofen, naproxen helps.', 'take ibuprofen'],
    ['I cancelled the visit for my knee.', 'the visit'],
    ['I canceled the visit for my knee.', 'the visit'],
    ['Rollbar is out, Sentry is in.', 'Rollbar'],
    ['Dana left, I report to Felix.', 'Dana'],
    ['We use Vim instead of Emacs.', 'Emacs'],
    ['I dropped the evening class.', 'the evening class'],
    ['I dropped off the parcel.', ''],
    ['Have you made any more art?', ''],
    ['I like the car.', ''],
    ['Das Galaxy habe ich durch ein Fairphone ersetzt.', 'Das Galaxy habe ich'],
    ['Das Auto ist verkauft, ich nehme das Rad.', 'Das Auto ist'],
    ['Ich trinke keine Milch mehr.', 'Ich trinke Milch'],
    ['Melanie hat den Chor gekündigt.', ''],
    ['Dr. Weber hat mit dem Rauchen aufgehört.', '']
  ] as const)
    t.equal(endedIn(text), ended, text)
})

t.test('small words mark a change, whole ones alone', async (t) => {
  for (const text of ['We meet at ten now.', 'From now on by post.', 'Das gilt nicht mehr.', 'Ab sofort montags.'])
    t.ok(isMarkedAsChange(text), text)
  for (const text of ['We know it.', 'Das ist neun.', 'We meet at ten.']) t.notOk(isMarkedAsChange(text), text)
})

t.test('who comes into another state says where to, or what it is that begins or ends', async (t) => {
  for (const text of [
    'I moved to Galway in May.',
    'We finally moved house to Bonn.',
    'I switched over to Linux.',
    'I started at Bosch.',
    'In May I start as a nurse.',
    'The doctor put me on metformin.',
    'I joined Siemens.',
    'I join Siemens in May.',
    'I switched jobs.',
    'I quit my job.',
    'I got a new position.',
    'I got divorced.',
    'Ich bin nach Bonn gezogen.',
    'Ich bin in den Hafenweg 3 gezogen.',
    'Ich bin auf Haus 12 gewechselt.',
    'Ich bin im Mai umgezogen.',
    'Ich bin zu den Stadtwerken gewechselt.',
    'Ich wechselte im Mai zur Bahn.',
    'Den Job habe ich gewechselt.',
    'Ich habe bei der Stadt angefangen.',
    'Wir ziehen im Mai nach Bonn.',
    'Ich habe den Job gewechselt.',
    'We convert to Catholicism.',
    'Ich bin in die Stadt gezogen.',
    'Ich bin ins Grüne gezogen.',
    'Wir ziehen im Mai in ein Haus.'
  ])
    t.ok(tellsGoal(text), text)
  for (const text of [
    'Ich habe den Stuhl in den Garten gezogen.',
    'I moved the sofa to the window.',
    'I switched off the lights.',
    'I started a course on pottery.',
    'I joined a choir.',
    'I quit smoking.',
    'I left the keys at the office.',
    'Ich habe den Zahn gezogen bekommen.',
    'Ich habe mit dem Kochen angefangen.',
    'Ich habe die Uhr umgestellt.',
    'Ich ziehe die Jacke an.'
  ])
    t.notOk(tellsGoal(text), text)
})

t.test('a correction may say what it is about', async (t) => {
  t.equal(subjectOfCorrection('Correction: the talk is at three.'), 'talk')
  t.equal(subjectOfCorrection('Correction: the talks start at three.'), 'talks')
  t.equal(subjectOfCorrection('Korrektur: das zweite Treffen ist um drei.'), 'zweite Treffen')
  t.equal(subjectOfCorrection('Scratch that, make it eight.'), '')
  t.equal(subjectOfCorrection('No wait, it is amoxicillin.'), '')
})

t.test('what stands behind the first 400 characters is not read', async (t) => {
  const long = 'It was said at length. '.repeat(20)
  t.ok(isCorrection(`Scratch that. ${long}Is it?`))
  t.notOk(tellsGoal(`${long}I moved to Galway.`))
  t.notOk(isMarkedAsChange(`${long}It is otherwise now.`))
  t.equal(endedIn(`${long}I sold the car.`), '')
  t.equal(subjectOfCorrection(`Scratch that. ${'At length. '.repeat(40)}The talk is at three.`), '')
})

t.test('what ends is seen in whatever words and letters it is said', async (t) => {
  const objects =
    'no longer,quit,canceled,cancelled,replace,replaced,sold,closed,dropped,ditched,gave up,given up,stopped,swapped,swapped with,got rid of'
  const moves = 'moved from,moved away from,switched off from,migrated from,instead of,rather than'
  for (const words of `${objects},${moves}`.split(','))
    for (const said of [words, words.toUpperCase()]) t.equal(endedIn(`Well, we ${said} the boat and go by train.`), 'the boat', said)
  for (const verb of 'is,are,was,were,got,has been,have been'.split(','))
    for (const end of 'out,gone,over,replaced,canceled,cancelled,dropped,retired,sold,discontinued,removed'.split(','))
      t.not(endedIn(`The boat ${verb} ${end}`), '', `${verb} ${end}`)
  for (const end of ['left', 'any more', 'anymore', 'ANYMORE']) t.equal(endedIn(`The boat ${end}`), 'The boat', end)
  const german =
    'nicht mehr,keine Boote mehr,gekündigt,GEKÜNDIGT,ersetzt,verkauft,aufgehört,aufgelöst,getauscht,abgelöst,abgeschafft,abgesetzt'
  for (const end of `${german},abbestellt,eingestellt,weg,raus,statt`.split(',')) t.not(endedIn(`Das Boot ist ${end}`), '', end)
  t.equal(endedIn('we \u017fold the boat'), 'the boat', 'a long s is an s')
  t.equal(endedIn('we \u017fOLD the boat'), 'the boat')
  t.equal(endedIn('The boat is fast, and we are glad.'), '')
})
