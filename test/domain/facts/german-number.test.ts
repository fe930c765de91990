import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { germanNumbersOf } from '../../../src/domain/facts/german-number.js'
import { readAtOnce } from '../../support/fact-reading.js'

t.test('a noun of one form is told by its verb and by what stands before it', async (t) => {
  for (const [a, b] of [
    ['Wo ist der Spaten?', 'Wo sind die Spaten?'],
    ['wo ist der spaten', 'wo sind die spaten'],
    ['Welcher Läufer gewinnt?', 'Welche Läufer gewinnen?'],
    ['Was wiegt der Kürbiskuchen?', 'Was wiegen die Kürbiskuchen?'],
    ['Was kostete der Besen?', 'Was kosteten die Besen?'],
    ['Wann kam der Maler?', 'Wann kamen die Maler?'],
    ['Wo steht mein Hocker?', 'Wo stehen meine Hocker?'],
    ['Ist das Messer scharf?', 'Sind die Messer scharf?'],
    ['War das Küken krank?', 'Waren die Küken krank?'],
    ['Hat der Pfleger geklingelt?', 'Haben die Pfleger geklingelt?'],
    ['Kann der Gärtner heute kommen?', 'Können die Gärtner heute kommen?'],
    ['Wird der Teller gespült?', 'Werden die Teller gespült?'],
    ['Muss ihr Onkel zahlen?', 'Müssen ihre Onkel zahlen?'],
    ['Wer hat das Kissen gewaschen?', 'Wer hat die Kissen gewaschen?'],
    ['Wann hast du dem Lehrer geschrieben?', 'Wann hast du die Lehrer geschrieben?'],
    ['Wer putzt heute den Brunnen?', 'Wer putzt heute die Brunnen?'],
    ['Wem gehört dieses kleine Ferkel?', 'Wem gehören diese kleinen Ferkel?'],
    ['Welche Farbe hat der Eimer?', 'Welche Farbe haben die Eimer?'],
    ['Wie ist die Farbe des Eimers?', 'Wie ist die Farbe der Eimer?'],
    ['Wer ist der Kläger?', 'Wer sind die Kläger?'],
    ['Kommst du mit dem Roller?', 'Kommst du mit den Rollern?'],
    ['Wie lautet das Kennwort?', 'Wie lauten die Kennwörter?'],
    ['Wo ist der Stiefel, den ich suche?', 'Wo sind die Stiefel, die ich suche?'],
    ['Lässt sich der Riemen flicken?', 'Lassen sich die Riemen flicken?'],
    ['Welche Person hat geklingelt?', 'Welche Leute haben geklingelt?']
  ] as const) {
    t.not(factsDiffer(a, b), null, `${a} | ${b}`)
    t.not(factsDiffer(b, a), null, `${b} | ${a}`)
  }
})

t.test('who is spoken to, in which case, and what is only counted or listed, changes no number', async (t) => {
  for (const [a, b] of [
    ['Wann macht ihr auf?', 'Wann machen Sie auf?'],
    ['Verkauft ihr Eimer?', 'Verkaufen Sie Eimer?'],
    ['Wann kauft ihr den Eimer?', 'Wann kaufen Sie den Eimer?'],
    ['Wie kann man den Eimer leeren?', 'Wie leert man den Eimer?'],
    ['Wo liegen meine Messer?', 'Wo finde ich meine Messer?'],
    ['Wie lange dauern 2 Minuten?', 'Wie lange dauert 2 Minuten?'],
    ['Ist Brot und Butter da?', 'Sind Brot und Butter da?'],
    ['Wie ist der Preis der Regel?', 'Wie ist der Preis von der Regel?'],
    ['Welche Leute haben geklingelt?', 'Wer hat geklingelt?'],
    ['Wann beginnt die Besprechung?', 'Wann beginnt das Meeting?'],
    ['Wann kommt am Montag der Fahrer?', 'Wann kommt der Fahrer am Montag?']
  ] as const) {
    t.equal(factsDiffer(a, b), null, `${a} | ${b}`)
    t.equal(factsDiffer(b, a), null, `${b} | ${a}`)
  }
})

const numbers = (text: string) => Object.fromEntries(germanNumbersOf(readAtOnce(text)))

t.test('what stands in a text, one or several', async (t) => {
  t.match(numbers('Wo ist der Spaten?'), { 'verb ist': 'one', 'noun spat': 'one' })
  t.match(numbers('Wo sind die Spaten?'), { 'verb ist': 'several', 'noun spat': 'several' })
  t.same(numbers('Wer kommt mit den Eimern?'), { 'verb komm present': 'one', 'noun eim': 'several' })
  t.same(numbers('Gehört ihr der Gabel?'), {})
  t.match(numbers('Wo ist der Eimer, wo sind die Eimer?'), { 'verb ist': 'both', 'noun eim': 'both' })
  t.match(numbers('Wie alt ist die Tochter des Lehrers?'), { 'of lehr': 'one' })
  t.match(numbers('Wie alt ist die Tochter der Lehrer?'), { 'of lehr': 'several' })
})

t.test('articles and pronouns say it of their noun, with adjectives between', async (t) => {
  t.equal(numbers('Was ist in meinem Eimer?')['noun eim'], 'one')
  t.equal(numbers('Welches Messer ist scharf?')['noun mess'], 'one')
  t.equal(numbers('Wer putzt diesen Eimer?')['noun eim'], 'one')
  t.equal(numbers('Wer klopft auf den Eimer?')['noun eim'], 'one')
  t.equal(numbers('Wer putzt den Brunnen?')['noun brunn'], 'one')
  t.equal(numbers('Wem gehört dieses kleine Ferkel?')['noun ferkel'], 'one')
  t.equal(numbers('Wem gehören diese kleinen Ferkel?')['noun ferkel'], 'several')
  t.equal(numbers('Wer spielt mit den Kindern?')['noun kind'], 'several')
  t.equal(numbers('Wie scharf ist die Klinge des Messers?')['of mess'], 'one')
  t.equal(numbers('Wegen der Eimer kommt wer?')['of eim'], 'several')
})

t.test('nothing is said of a noun whose article may be another case, and of one that tells by its own form', async (t) => {
  const nouns = (text: string) => Object.keys(numbers(text)).filter((key) => !key.startsWith('verb'))
  for (const noun of [
    'Mutter',
    'Butter',
    'Feder',
    'Leiter',
    'Mauer',
    'Klammer',
    'Gabel',
    'Kartoffel',
    'Zwiebel',
    'Kugel',
    'Orgel',
    'Waffel'
  ])
    t.same(nouns(`Was fehlt der ${noun}?`), [], noun)
  for (const text of ['Wo ist der Elefant?', 'Wer kommt mit den Balken?']) t.same(nouns(text), [], text)
})

t.test('of the verbs of a clause the finite one counts, and no attribute', async (t) => {
  t.same(numbers('Kann der Eimer gewaschen werden?'), { 'verb kann': 'one', 'noun eim': 'one' })
  t.same(numbers('Können die Eimer gewaschen werden?'), { 'verb kann': 'several', 'verb wird': 'several', 'noun eim': 'several' })
  t.same(numbers('Wo steht eine bestimmte Kiste?'), { 'verb steh present': 'one' })
})
