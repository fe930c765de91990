/**
 * Content words that say little about a topic: any two conversations share them, so they mark an input neither as new nor as familiar.
 * English and German.
 */
import { listedTerms } from '../text/terms.js'

const ENGLISH = `
like love good great nice cool think know want really wow thing things lot time day today sound sounds pretty awesome fun enjoy hi hello
hey much make see look guess sure need say tell also even still never always many thank thanks sorry haha lol ah hm hmm bet hope feel way
kind actually maybe first two best little bit few yep nope oops bye morning evening night welcome perfect fine alright course absolutely
exactly totally definitely anything something everything nothing someone people everyone example detail details question answer explain
mean means difference step idea recommend suggest else another
`
const GERMAN = `
gut gute guten guter gutes toll schön super cool danke denke weiß finde machen mache macht gehen geht gibt sagen sage hallo tag heute zeit
ding dinge viel viele gern gerne lieber richtig falsch stimmt klar genau vielleicht eigentlich wirklich ganz bisschen wenig neu neue alt
alte groß klein gleich immer nie mal beispiel frage antwort erkläre erklären bedeutet unterschied idee empfiehlst etwas alles jemand leute
brauche brauchen
`

const TERMS = new Set([...listedTerms(ENGLISH, 'english'), ...listedTerms(GERMAN, 'german')])

/** Emoji are tokens too. For most words the first letter is enough to tell. */
const WORD = /[\p{L}\p{N}]/u
const [FIRST_LETTER, LAST_LETTER] = [0x61, 0x7a]

function isWord(term: string): boolean {
  const first = term.charCodeAt(0)
  return (first >= FIRST_LETTER && first <= LAST_LETTER) || WORD.test(term)
}

/** Distinct terms that distinguish topics, in order. */
export function topicalTerms(terms: Iterable<string>): string[] {
  const kept = new Set<string>()
  for (const term of terms) if (!TERMS.has(term) && isWord(term)) kept.add(term)
  return [...kept]
}
