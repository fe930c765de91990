/**
 * Verbs of a state, and the verbs that change that state: "I moved to Cork" changes where one lives, without sharing a word with it. Nouns
 * that name the topic of a state ("manager") are left out. Written by hand, from no corpus. English and German.
 */
import { listedTerms } from '../text/terms.js'

const ENGLISH = `
live reside stay home: move relocate settle
work employ job: start join hire transfer leave quit promote
use run write: switch migrate adopt replace rewrite port upgrade convert
take eat drink smoke get give feed: put switch start stop quit prescribe cut increase raise lower double halve
call name: rename call
marry married engage engaged: marry married engage divorce separate split propose
attend go study visit: start move transfer switch join
drive ride own have: buy sell replace trade lease get
cost pay weigh earn: raise lower rise drop increase reduce cut bump lose gain
begin start end open close meet happen leave come arrive go due: push postpone reschedule delay bring bump slip
ship deliver send go: redirect send reroute
expire last keep hold store: extend bump raise lower shorten bring put
sleep sit stand lie hang belong park: put bring carry take
set turn: turn raise lower reset adjust bump
lead handle: take hand step leave promote
`
const GERMAN = `
wohnen wohne wohnt wohnst leben lebe lebt: ziehen gezogen zog zieht umziehen umgezogen verzogen
arbeiten arbeite arbeitet angestellt beschäftigt: angefangen eingestellt angestellt gewechselt gekündigt anfangen
nutzen nutzt nutze verwenden verwendet benutzen läuft laufen geschrieben: umgestiegen umgestellt migriert ersetzt gewechselt abgelöst
nehmen nehme nimmt essen esse isst trinken trinke trinkt bekommen bekommt kriegt rauchen: umgestellt umgestiegen abgesetzt aufgehört
heißen heißt heiße nennt genannt: umbenannt umgetauft
verheiratet verlobt ledig zusammen: geheiratet verlobt getrennt geschieden
gehen geht gehe besuchen besucht lernt: gewechselt gekommen angefangen umgezogen
fahren fahre fährt besitzen: gekauft verkauft ersetzt geleast
kosten kostet zahlen zahle verdienen wiegen wiege: erhöht gesenkt gestiegen gefallen zugenommen abgenommen runter
beginnen beginnt anfangen kommt kommen endet schließt öffnet trifft: verlegt verschoben vorgezogen verlegen
geht gehen liefern geliefert: umleiten umgeleitet schicken
läuft gilt gelten gültig: verlängert verkürzt erhöht gesenkt
schlafen schläft liegt liegen steht stehen hängt: umgezogen gestellt gelegt gebracht gehängt umgestellt runtergestellt hochgestellt
stehen steht gestellt eingestellt: gestellt runtergestellt hochgestellt umgestellt eingestellt
leitet leiten führt zuständig: übernommen übergeben abgelöst
`
/** Verbs that change a state of any kind. */
const ENGLISH_GENERAL = 'change switch move shift replace swap update become'
const GERMAN_GENERAL = 'ändern geändert gewechselt wechseln getauscht ersetzt umgestellt verlegt aktualisiert geworden'

const NONE: ReadonlySet<string> = new Set()
const GENERAL = new Set([...listedTerms(ENGLISH_GENERAL, 'english'), ...listedTerms(GERMAN_GENERAL, 'german')])
const CHANGES = changesByState()

/** Whether a stem, as `contentTerms` returns it, is a verb of a state. */
export function isStateTerm(term: string): boolean {
  return CHANGES.has(term)
}

/** Whether `change` changes the state that `state` names; both are stems. */
export function isChangeOf(change: string, state: string): boolean {
  const own = CHANGES.get(state)
  return own !== undefined && (own.has(change) || GENERAL.has(change))
}

/** Stems of the verbs that change this state in particular; none when `state` is no verb of a state. */
export function changesOf(state: string): ReadonlySet<string> {
  return CHANGES.get(state) ?? NONE
}

function changesByState(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const [table, language] of [
    [ENGLISH, 'english'],
    [GERMAN, 'german']
  ] as const) {
    for (const line of table.trim().split('\n')) {
      const [states = '', changes = ''] = line.split(':')
      for (const state of listedTerms(states, language)) {
        found.set(state, new Set([...(found.get(state) ?? NONE), ...listedTerms(changes, language)]))
      }
    }
  }
  return found
}
