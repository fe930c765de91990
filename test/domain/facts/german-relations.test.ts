/** What is often asked of persons, places and things in German: one question and its reading per line. */
import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { withoutFrames } from '../../../src/domain/facts/frames.js'
import { GERMAN_RELATIONS } from '../../../src/domain/facts/german-relations.js'
import { inOneGo } from '../../../src/domain/pieces.js'

const READINGS = `
Was ist Perus Hauptstadt? → was ist die Hauptstadt von Peru?
Was ist das Haus? → Was ist das Haus?
Was ist Das Haus? → Was ist Das Haus?
Wo ist Anna geboren? → Wo wurde Anna geboren?
Was ist der Geburtsort von Anna? → wo wurde Anna geboren?
Was ist das Geburtsdatum von Anna? → wann wurde Anna geboren?
Was ist das Todesdatum von Anna? → wann starb Anna?
Ich heiße Anna → mein name ist Anna
Was ist mein Alter? → wie alt bin ich?
Wie heißt des Chefs? → wer ist der Chef?
Wie heißt der Chefin? → wer ist die Chefin?
Wie heißt meines Arztes? → wer ist mein Arzt?
Wie heißt meiner Zahnärztin? → wer ist meine Zahnärztin?
Wie heißt mein neuer Chef? → wer ist mein neuer Chef?
Wie heißt der Präsident von Peru? → wer ist der Präsident von Peru?
Wie heißt die Straße? → Wie heißt die Straße?
Wie sagt ich Eule auf Finnisch? → was bedeutet Eule auf Finnisch?
Was ist das finnische Wort für Eule? → was bedeutet Eule auf finnisch?
Was bedeutet die Abkürzung HEPA? → was bedeutet HEPA?
Welche Malerin hat es gemalt? → wer hat es gemalt?
Welcher Autor schrieb Emma? → wer schrieb Emma?
Welcher Autor hat gewonnen? → Welcher Autor hat gewonnen?
Welche Stadt ist die Hauptstadt von Peru? → was ist die Hauptstadt von Peru?
Wie groß ist die Bevölkerung von Malta? → wie viele einwohner hat Malta?
Bei wie viel Grad schmilzt Wachs? → was ist die Schmelzpunkt von Wachs?
Bei welcher Temperatur kocht Wasser? → was ist die Siedepunkt von Wasser?
Wie lang ist die Flugzeit von Bonn nach Rom? → wie lange dauert die Flug von Bonn nach Rom?
Wie lange dauert der Flug von Bonn nach Rom? → wie lange dauert die flug von Bonn nach Rom?
Mein Sohn ist 7 Jahre alt → Mein Sohn ist 7
Die Eiche im Park, wie alt ist sie? → wie alt ist Die Eiche im Park?
Was ist gesünder, Tee oder Saft? → ist Tee oder Saft gesünder?
Wozu dient Talkum? → wofür ist Talkum?
`

const ALIKE = `
Wo wurde Anna geboren? = Was ist Annas Geburtsort?
Wie heißt mein Chef? = Wer ist mein Chef?
Wie heißt der Chef? = Was ist der Name des Chefs?
Die Eiche im Park, wie alt ist sie? = Wie alt ist die Eiche im Park?
Wie sagt man Eule auf Finnisch? = Was heißt Eule auf Finnisch?
`

const OTHER = `
Wann wurde Anna geboren? = Was ist Annas Geburtsort?
Wie heißt mein Chef? = Wer ist dein Chef?
Wie heißt die Straße? = Wer ist die Straße?
Wie sagt man Eule auf Finnisch? = Was heißt Eule auf Dänisch?
Bei welcher Temperatur kocht Wasser? = Was ist der Gefrierpunkt von Wasser?
Was ist gesünder, Tee oder Saft? = Ist Tee oder Saft teurer?
`

t.test('a question is read as the plain one', async (t) => {
  for (const line of READINGS.trim().split('\n')) {
    const [asked = '', read = ''] = line.split(' → ')
    t.equal(inOneGo(withoutFrames(asked, GERMAN_RELATIONS)).replace(/\s+/g, ' '), read, asked)
  }
})

t.test('other words ask the same, and another relation does not', async (t) => {
  for (const [set, isSame] of [
    [ALIKE, true],
    [OTHER, false]
  ] as const)
    for (const line of set.trim().split('\n')) {
      const [first = '', second = ''] = line.split(' = ')
      t.equal(factsDiffer(first, second) === null, isSame, line)
      t.equal(factsDiffer(second, first) === null, isSame, line)
    }
})
