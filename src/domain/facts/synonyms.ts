/** Words that people use interchangeably, English and German. */
import { ENGLISH_EVERYDAY, GERMAN_EVERYDAY } from './everyday-synonyms.js'
import { verbForm } from './german-verbs.js'
import { stemGerman } from '../text/german-stemmer.js'

/** Each line one meaning, named by its first word. A wrong synonym makes two facts one: what is a matter of taste is left out. */
const ENGLISH = `
buy purchase
fix repair mend
delete erase remove eliminate
start begin commence launch
end finish conclude
large big
largest biggest
larger bigger
fast quick rapid
faster quicker
fastest quickest
car automobile
photo photograph picture image
phone telephone
cellphone mobile
film movie
mother mom mum mama
father dad papa
child kid
children kids
db database
repo repository
config configuration
doc document
info information
login signin logon
fall autumn
max maximum
min minimum
js javascript
ts typescript
k8s kubernetes
postgres postgresql
help assist assistance
choose select
vs versus
tv television
bicycle bike
reserve book
reservation booking
get receive obtain
need require
allow permit
forbidden prohibited banned
show display
confirm verify
answer reply respond
reduce lower decrease
increase raise
invoice bill
main primary
vacation holiday
shop store
elevator lift
trash rubbish garbage
apartment flat
colleague coworker
participant attendee
undo revert
convert transform
use utilize utilise
gift present
problem issue trouble
difficult hard tough
easy simple
sick ill
expensive costly pricey
cheap inexpensive
doctor physician
lawyer attorney
build construct
make create produce manufacture
find locate
stop quit cease
live reside
job occupation profession
sofa couch
toilet restroom washroom loo
pharmacy chemist drugstore
petrol gasoline
folder directory
fee charge
faulty defective
annual yearly
often frequently
whole entire
additional extra
previous prior
recommend suggest
requirement prerequisite
enable activate
disable deactivate
explain clarify
gather collect
plane airplane
suitable appropriate
wrong incorrect
color colour
favorite favourite
neighbor neighbour
center centre
license licence
grey gray
terrace patio
trip journey
closest nearest
`

/** Nouns with their capital, verbs in the infinitive. */
const GERMAN = `
kaufen erwerben
reparieren instandsetzen
löschen entfernen
beginnen anfangen starten
enden auslaufen
Auto Wagen Pkw
App Anwendung
Foto Bild Fotografie
Profilfoto Profilbild
Handy Smartphone Mobiltelefon
Mutter Mama Mutti
Vater Papa Vati
Nutzer Benutzer Anwender User
nutzen benutzen verwenden
erhalten bekommen kriegen
brauchen benötigen
ändern verändern modifizieren
buchen reservieren
Buchung Reservierung
Ticket Fahrkarte Fahrschein
Aufzug Fahrstuhl Lift
Laden Geschäft
Müll Abfall
Arzt Doktor
Chef Boss Vorgesetzter
Mitarbeiter Angestellte Beschäftigte
herstellen produzieren fertigen
erstellen anlegen erzeugen
wohnen leben
senken verringern reduzieren
erhöhen steigern
verbessern optimieren
wählen auswählen aussuchen
bauen errichten erbauen
zahlen bezahlen
prüfen überprüfen kontrollieren
konvertieren umwandeln
Party Feier Fest
Gehalt Lohn
Wohnung Apartment
Grund Ursache
Hauptgrund Hauptursache
Zahlungsart Zahlungsmethode Bezahlmethode
Computer Rechner
anmelden einloggen
abmelden ausloggen
aktivieren einschalten anschalten anmachen
deaktivieren ausschalten abschalten ausmachen
öffnen aufmachen
schließen zumachen
herunterladen downloaden
hochladen uploaden
drucken ausdrucken
erlaubt gestattet zulässig
verboten untersagt
schnell rasch zügig
schwierig schwer
einfach leicht
Beruf Job
sprechen reden
passieren geschehen
funktionieren gehen klappen
Adresse Anschrift
Frist Deadline
Kundendienst Kundenservice Kundensupport
Besprechung Meeting Sitzung
Fernseher Tv
Fahrrad Rad
Krankenhaus Klinik
Toilette Wc Klo
Geschenk Präsent
Unterlagen Dokumente Papiere
Passwort Kennwort
erreichen kontaktieren
verschieben verlegen
liefern zustellen
versenden verschicken
Lieferung Zustellung
Dienst Service
Bewertung Rezension
Rabatt Ermäßigung
reinigen putzen säubern
Ordner Verzeichnis
ermitteln bestimmen herausfinden
montieren zusammenbauen
Genehmigung Erlaubnis
senden schicken
kaputt defekt
`

/** The first word of each line, by every word of it. */
const ENGLISH_MEANINGS = new Map<string, string>()
for (const line of `${ENGLISH}${ENGLISH_EVERYDAY}`.trim().split(/\n+/)) {
  addMeaning(ENGLISH_MEANINGS, line.split(' '))
}

const GERMAN_NOUNS = new Map<string, string>()
const GERMAN_VERBS = new Map<string, string>()
for (const line of `${GERMAN}${GERMAN_EVERYDAY}`.trim().split(/\n+/)) {
  const words = line.split(' ')
  // Stryker disable next-line Regex: verbs have no capital anywhere
  const isNoun = /^\p{Lu}/u.test(line)
  const keys = words.map((word) => (isNoun ? germanNounStem(word.toLowerCase()) : (verbForm(word)?.lemma ?? word)))
  addMeaning(isNoun ? GERMAN_NOUNS : GERMAN_VERBS, keys)
}

/** Words of one meaning, the first of which may be known already: the others are then of what it means. */
function addMeaning(meanings: Map<string, string>, words: readonly string[]): void {
  const [first = ''] = words
  const meaning = meanings.get(first) ?? first
  for (const word of words) if (!meanings.has(word)) meanings.set(word, meaning)
}

/** Endings that inflect, each with what the base form ends in instead. */
const ENGLISH_ENDINGS: readonly (readonly [ending: string, base: string])[] = [
  ['ies', 'y'],
  ['es', ''],
  ['s', ''],
  ['ing', ''],
  ['ing', 'e'],
  ['ied', 'y'],
  ['ed', ''],
  ['ed', 'e']
]

/** One meaning as verbs, two things as nouns: "the show", "the display". */
const THINGS = /^(?:show|display|book|reserve)s?$/

/** The word that stands for all that mean the same, in the form of the given one ("purchased" gives "buyed"); lower case. */
export function canonicalEnglish(word: string, base: string, isThing = false): string {
  if (isThing && THINGS.test(word)) return word
  const own = ENGLISH_MEANINGS.get(word)
  if (own !== undefined) return own
  const spelled = word.length >= 7 ? word.replace(/is(e|es|ed|ing|ations?)$/, 'iz$1') : word
  for (const [ending, replaced] of ENGLISH_ENDINGS) {
    if (!word.endsWith(ending)) continue
    const stem = word.slice(0, -ending.length)
    const meaning = ENGLISH_MEANINGS.get(stem + replaced) ?? ENGLISH_MEANINGS.get(stem.replace(/(.)\1$/, '$1'))
    if (meaning !== undefined) return inflected(meaning, ending)
  }
  // An irregular past: "bought".
  const meaning = base === word ? undefined : ENGLISH_MEANINGS.get(base)
  return meaning === undefined ? spelled : inflected(meaning, 'ed')
}

/** As regular words are: what counts is that two forms of one meaning come out alike. */
function inflected(base: string, ending: string): string {
  if (ending === 'ing') return `${base.replace(/e$/, '')}ing`
  if (ending.endsWith('ed')) return `${base.replace(/e$/, '')}ed`
  return `${base}s`
}

/** The stem of a noun; names carry the genitive without more ado: "Kanadas". */
export function germanNounStem(word: string): string {
  return stemGerman(word).replace(/(?<=\p{L}{4})s$/u, '')
}

/** The stem that stands for all nouns that mean the same; null for a word that is in no group. */
export function canonicalGermanNoun(stem: string): string | null {
  return GERMAN_NOUNS.get(stem) ?? null
}

/** The lemma that stands for all verbs, adjectives and adverbs that mean the same; null for a word that is in no group. */
export function canonicalGermanVerb(lemma: string): string | null {
  return GERMAN_VERBS.get(lemma) ?? null
}
