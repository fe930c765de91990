/** Words that people use interchangeably, English and German. */
import { ENGLISH_EVERYDAY, GERMAN_EVERYDAY } from './everyday-synonyms.js'
import { verbForm } from './german-verbs.js'
import { stemGerman } from '../text/german-stemmer.js'

/**
 * Each line one meaning, named by its first word. A wrong synonym makes two facts one: left out is what is a matter of taste, and what
 * means another thing in a common sense ("quit the band", "the hard mattress"), unless `senses.ts` tells that sense by what is spoken of.
 */
const ENGLISH = `
buy purchase
repair mend
delete erase remove
start begin commence
end finish
large big
largest biggest
larger bigger
fast quick rapid
faster quicker
fastest quickest
car automobile
photo photograph
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
info information
login signin logon
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
reserve book
need require
allow permit
forbidden prohibited banned
show display
reply respond
reduce lower decrease
elevator lift
trash rubbish garbage
undo revert
gift present
folder directory
enable activate
disable deactivate
colleague coworker
use utilize utilise
expensive costly pricey
lawyer attorney
build construct
make create
produce manufacture
live reside
sofa couch
restroom washroom
pharmacy drugstore
petrol gasoline
faulty defective
annual yearly
often frequently
whole entire
additional extra
previous prior
suitable appropriate
color colour
favorite favourite
neighbor neighbour
center centre
license licence
grey gray
closest nearest
`

/** Nouns with their capital, verbs in the infinitive. */
const GERMAN = `
reparieren instandsetzen
beginnen anfangen starten
Auto Wagen Pkw
Foto Fotografie
Profilfoto Profilbild
Handy Mobiltelefon
Mutter Mama Mutti
Vater Papa Vati
Nutzer Benutzer Anwender User
nutzen benutzen verwenden
erhalten bekommen kriegen
brauchen benötigen
ändern verändern modifizieren
buchen reservieren
Fahrkarte Fahrschein
Aufzug Fahrstuhl
Müll Abfall
Mitarbeiter Beschäftigte
herstellen produzieren fertigen
erstellen erzeugen
senken verringern reduzieren
erhöhen steigern
verbessern optimieren
auswählen aussuchen
bauen errichten erbauen
zahlen bezahlen
konvertieren umwandeln
Wohnung Apartment
Grund Ursache
Hauptgrund Hauptursache
Zahlungsart Zahlungsmethode Bezahlmethode
aktivieren einschalten anschalten
deaktivieren ausschalten abschalten
öffnen aufmachen
schließen zumachen
herunterladen downloaden
hochladen uploaden
drucken ausdrucken
erlaubt gestattet zulässig
verboten untersagt
schnell rasch zügig
sprechen reden
passieren geschehen
funktionieren klappen
Adresse Anschrift
Frist Deadline
Kundendienst Kundenservice Kundensupport
Besprechung Meeting
Fernseher Tv
Toilette Wc Klo
Geschenk Präsent
Unterlagen Dokumente
Passwort Kennwort
liefern zustellen
versenden verschicken
Lieferung Zustellung
Rabatt Ermäßigung
reinigen putzen säubern
Ordner Verzeichnis
ermitteln herausfinden
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

/** One meaning as verbs, two things as nouns: "the show", "the display"; "a build", "a construct". */
const THINGS = /^(?:show|display|book|reserve|build|construct)s?$/

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
