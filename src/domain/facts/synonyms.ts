/** Synonyms of English and German. */
import { ENGLISH_EVERYDAY, GERMAN_EVERYDAY } from './everyday-synonyms.js'
import { verbForm } from './german-verbs.js'
import { stemGerman } from '../text/german-stemmer.js'

/**
 * One meaning per line, named by its first word. A wrong synonym makes two facts equal, so matters of taste are left out, and words with
 * another common sense ("quit the band", "the hard mattress"), unless `senses.ts` recognises that sense from its context.
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

/** Nouns capitalised, verbs in the infinitive. */
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

/** First word of the line for each of its words. */
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

/** Adds words of one meaning. If the first is already known, the others get its meaning. */
function addMeaning(meanings: Map<string, string>, words: readonly string[]): void {
  const [first = ''] = words
  const meaning = meanings.get(first) ?? first
  for (const word of words) if (!meanings.has(word)) meanings.set(word, meaning)
}

/** Inflectional endings, each with the ending of the base form. */
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

/** Synonyms as verbs but not as nouns: "the show", "the display"; "a build", "a construct". */
const THINGS = /^(?:show|display|book|reserve|build|construct)s?$/

/** Representative of all synonyms, in lower case and in the form of the given word ("purchased" gives "buyed"). */
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
  // An irregular past, such as "bought".
  const meaning = base === word ? undefined : ENGLISH_MEANINGS.get(base)
  return meaning === undefined ? spelled : inflected(meaning, 'ed')
}

/** Inflects regularly: it only matters that two forms of one meaning come out alike. */
function inflected(base: string, ending: string): string {
  if (ending === 'ing') return `${base.replace(/e$/, '')}ing`
  if (ending.endsWith('ed')) return `${base.replace(/e$/, '')}ed`
  return `${base}s`
}

/** Stem of a noun. Names take a plain genitive: "Kanadas". */
export function germanNounStem(word: string): string {
  return stemGerman(word).replace(/(?<=\p{L}{4})s$/u, '')
}

/** Representative stem of all synonymous nouns; null for a word without synonyms. */
export function canonicalGermanNoun(stem: string): string | null {
  return GERMAN_NOUNS.get(stem) ?? null
}

/** Representative lemma of all synonymous verbs, adjectives and adverbs; null for a word without synonyms. */
export function canonicalGermanVerb(lemma: string): string | null {
  return GERMAN_VERBS.get(lemma) ?? null
}
