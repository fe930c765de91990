/** Frames of German questions and what they are read as: one question per frame, one line each. */
import t from 'tap'
import { GERMAN_FRAMES } from '../../../src/domain/facts/german-frames.js'
import { withoutFrames } from '../../../src/domain/facts/frames.js'
import { inOneGo } from '../../../src/domain/pieces.js'

const READINGS = `
Hallo, wo ist der Schlüssel? → wo ist der Schlüssel?
Wo ist der Schlüssel, bitte? → Wo ist der Schlüssel?
Die Farbe vom Haus → Die Farbe von dem Haus
Weißt du, ob der Laden offen ist? → ob der Laden offen ist?
Kannst du mir bitte sagen, wo der Schlüssel ist? → wo der Schlüssel ist?
Könnte ich bitte die Nummer haben? → was ist die Nummer?
Gib mir bitte die Adresse → was ist die Adresse
Können Sie mir die Nummer nennen? → was ist die Nummer?
Kannst du mir Entropie erklären? → was ist Entropie?
Erkläre mir Entropie → was ist Entropie
Was versteht man unter Entropie? → was ist Entropie?
Kannst du mir ein Buch empfehlen? → empfehlen mir ein Buch?
Wie genau geht das? → Wie geht das?
Ich möchte Brot backen, aber wie geht das? → wie ich Brot backen?
Was muss ich tun, um Brot zu backen? → wie ich Brot zu backen?
Gibt es eine Möglichkeit, Brot zu backen? → wie ich Brot zu backen?
Was ist die beste Methode, um Brot zu backen? → wie ich Brot zu backen?
Auf welche Weise backt er? → wie backt er?
Wie kann ich Brot backen? → Wie ich Brot backen?
Wie ich Brot backen kann → Wie ich Brot backen
Wie das Brot backen? → wie ich das Brot backen?
Wie Python 3.11 installieren? → wie ich Python 3.11 installieren?
Weißt du, wie Hefen wirken? → wie Hefen wirken?
Was tun, wenn es regnet? → was mache ich, wenn es regnet?
Wo im Haus kann man rauchen → Wo im Haus kann ich rauchen
Was tue ich jetzt? → was mache ich jetzt?
Was kann ich tun? → was mache ich?
Ist es möglich, hier zu parken? → kann ich hier zu parken?
Ist es noch möglich, hier zu parken? → kann ich noch hier zu parken?
Ist Rauchen hier erlaubt? → darf ich hier Rauchen?
Wie lässt sich Brot backen? → wie ich Brot backen?
Ist es erlaubt, hier zu parken? → darf ich hier zu parken?
Bin ich verpflichtet, zu zahlen? → muss ich zu zahlen?
Lässt sich das Heft drucken? → kann ich das Heft drucken?
Lassen sich die Hefte drucken? → kann ich die Hefte drucken?
Das Heft lässt sich nicht drucken → ich kann Das Heft nicht drucken
Ich bin nicht in der Lage, zu parken → ich kann nicht zu parken
Es ist nicht möglich, zu parken → ich kann nicht zu parken
Darf man parken? → Darf ich parken?
Wie lautet der Name von diesem Vogel? → wie heißt diesem Vogel?
Was ist der Name von dem Vogel? → wie heißt dem Vogel?
Wie nennt man diesen Vogel? → wie heißt diesen Vogel?
Wie heißt die Hauptstadt von Malta? → was ist die Hauptstadt von Malta?
Wie ist deine Adresse? → was ist deine Adresse?
Wie lautet der Titel? → was ist der Titel?
Welche Bedeutung hat Muße? → was bedeutet Muße?
Was ist die Bedeutung von Muße? → was bedeutet Muße?
Wofür steht NASA? → was bedeutet NASA?
Worin unterscheiden sich Frosch und Kröte? → was ist der unterschied zwischen Frosch und Kröte?
Wie unterscheidet sich ein Frosch von einer Kröte? → was ist der unterschied zwischen ein Frosch und einer Kröte?
Welche Farbe hat Malta ? → was ist die Farbe von Malta ?
Welche Farbe hat das Haus? → was ist die Farbe von das Haus?
Was ist die Farbe von dem Haus? → was ist die Farbe von dem Haus?
Wieviel kostet der Ausweis? → was kostet der Ausweis?
Wie viel verdient ein Koch? → was verdient ein Koch?
Wie teuer ist der Ausweis? → was kostet der Ausweis?
Wie teuer war der Ausweis? → was kostete der Ausweis?
Was ist der Preis für den Ausweis? → was kostet den Ausweis?
Wie viel zahle ich für den Ausweis? → was kostet den Ausweis?
Wie viel wiegt der Amboss? → wie schwer ist der Amboss?
Welche Höhe hat der Damm? → wie hoch ist der Damm?
Welche Breite hat der Damm? → wie breit ist der Damm?
Welche Tiefe hat der See? → wie tief ist der See?
Welche Größe hat der See? → wie groß ist der See?
Welche Geschwindigkeit hat der Zug? → wie schnell ist der Zug?
Welche Temperatur hat die Suppe? → wie heiß ist die Suppe?
Welche Entfernung hat der Mond? → wie weit ist der Mond?
Welches Alter hat die Brücke? → wie alt ist die Brücke?
Wie viel Zeit braucht die Fahrt? → wie lange dauert die Fahrt?
Wie lang geht die Fahrt? → wie lange dauert die Fahrt?
Was ist die Dauer der Fahrt? → wie lange dauert der Fahrt?
Wie viele Menschen leben in Malta? → wie viele einwohner hat Malta?
Wie groß ist die Anzahl der Zimmer? → wie viele Zimmer?
Wie häufig regnet es? → wie oft regnet es?
Zweimal pro Tag → doppelt täglich
Um wie viel Uhr ist Mittag? → uhrzeit ist Mittag?
An welchem Tag ist das Fest? → kalendertag ist das Fest?
An welchem Ort ist das Fest? → wo ist das Fest?
In welchem Jahr war das? → kalenderjahr war das?
In welchem Monat war das? → kalendermonat war das?
Aus welchem Grund regnet es? → warum regnet es?
Weshalb regnet es? → warum regnet es?
Wo finde ich den Schlüssel? → wo ist den Schlüssel?
Wo liegt Malta? → wo ist Malta?
Wo ich den Schlüssel finde → wo ist den Schlüssel
Welche Person singt? → wer singt?
Was für ein Vogel ist das? → welche Vogel ist das?
Wer ist der Autor von Emma? → wer hat geschrieben Emma?
Wer war der Erfinder von Lego? → wer hat erfunden Lego?
Wer war der Gründer von Rom? → wer hat gegründet Rom?
Wer war der Entdecker von Amerika? → wer hat entdeckt Amerika?
Wer ist der Maler von Guernica? → wer hat gemalt Guernica?
Wer ist der Komponist von Aida? → wer hat komponiert Aida?
Wer ist der Architekt von dem Haus? → wer hat entworfen dem Haus?
Von wem wurde Emma geschrieben? → wer hat Emma geschrieben?
Wer ist der Eigentümer von dem Haus? → wem gehört dem Haus?
Wer ist der Leiter von dem Chor? → wer leitet dem Chor?
Bieten Sie Rabatte? → gibt es Rabatte?
Welche Sorten gibt es? → was sind die Sorten?
Ist der Laden offen? → Ist der Laden geöffnet?
Das Rad ist kaputtgegangen → Das Rad ist kaputt
Falls es regnet → wenn es regnet
Derzeit regnet es → regnet es
Bereits sämtliche Gäste essen maximal zwei → schon alle Gäste essen höchstens zwei
Worin besteht der Vorteil? → was ist der Vorteil?
Worin liegt der Schatz? → Worin liegt der Schatz?
Worin besteht der Unterschied zwischen einem Gnu und einer Kuh? → was ist der unterschied zwischen Gnu und Kuh?
Wie heißt der Leiter von dem Chor? → wer leitet dem Chor?
Wie viel sind 20 Prozent von 150? → was ist 20 Prozent von 150?
`

t.test('a way to ask is read as the plain one', (t) => {
  for (const line of READINGS.trim().split('\n')) {
    const [asked = '', read = ''] = line.split(' → ')
    t.equal(inOneGo(withoutFrames(asked, GERMAN_FRAMES)).replace(/\s+/g, ' '), read, asked)
  }
  t.end()
})
