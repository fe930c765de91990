import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { germanNumbersOf } from '../../../src/domain/facts/german-number.js'
import { readText } from '../../../src/domain/facts/reading.js'

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

t.test('what stands in a text, one or several', async (t) => {
  const numbers = (text: string) => Object.fromEntries(germanNumbersOf(readText(text)))
  t.match(numbers('Wo ist der Spaten?'), { 'verb ist': 'one', 'noun spat': 'one' })
  t.match(numbers('Wo sind die Spaten?'), { 'verb ist': 'several', 'noun spat': 'several' })
  t.same(numbers('Wer kommt mit den Eimern?'), { 'verb komm present': 'one', 'noun eim': 'several' })
  t.same(numbers('Gehört ihr der Gabel?'), {})
  t.match(numbers('Wo ist der Eimer, wo sind die Eimer?'), { 'verb ist': 'both', 'noun eim': 'both' })
  t.match(numbers('Wie alt ist die Tochter des Lehrers?'), { 'of lehr': 'one' })
  t.match(numbers('Wie alt ist die Tochter der Lehrer?'), { 'of lehr': 'several' })
})
