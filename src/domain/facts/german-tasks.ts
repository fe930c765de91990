/** Classifies German requests by mood and kind of verb. */
import { isGermanStopWord } from '../text/stop-words.js'
import { openingOf, type Request, wordsOf } from './request.js'

/** Stems of imperatives; "zähl" covers "zähl … auf". */
const TELLING = wordsOf(
  'erklär erläuter zeig nenn beschreib übersetz verrat definier zähl fass rechne berechne vergleich list buchstabier empfiehl schlag lös ' +
    'skizzier analysier interpretier konjugier begründ unterscheid schätz find vereinfach zitier bestimm löse klär schilder rat'
)
const DOING = wordsOf(
  'setz schreib reservier schick send erinner mach lass lösch stell spiel buch bestell ruf verschieb merk kürz leg speicher formulier frag trag ' +
    'dreh öffne schließ würfle würfel start starte stopp halt brich schalt sing mal zeichne erfind entwirf bau dichte reim generier erstell ' +
    'verfass kauf bring hol nimm pack füg änder benenn verlänger kündig storniere stornier sag antworte beantworte leit druck lad installier ' +
    'aktualisier prüf überprüf teste such google überweis bezahl zahl notier vergiss behalt wiederhol versuch probier geh komm warte weck ' +
    'miss gieß fütter räum putz koch back park fahr sperr entsperr melde registrier lies übernimm beende pausier überspring fahre weiter tu ' +
    'gestalte plane verteil ordne sortier markier archivier aktivier deaktivier lauf führ verbind trenn wirf wähl zieh teil'
)
/** Infinitives, without separable prefixes. */
const DOING_INFINITIVE =
  /(?:setzen|schreiben|reservieren|schicken|senden|erinnern|machen|löschen|stellen|spielen|buchen|rufen|schieben|merken|kürzen|legen|speichern|formulieren|tragen|drehen|öffnen|schließen|starten|schalten|singen|malen|zeichnen|dichten|generieren|fassen|kaufen|bringen|holen|packen|fügen|ändern|benennen|kündigen|stornieren|antworten|leiten|drucken|laden|installieren|aktualisieren|suchen|überweisen|zahlen|notieren|wiederholen|wecken|gießen|füttern|räumen|putzen|kochen|sperren|melden|lesen|beenden|laufen|führen|wählen|teilen|verlängern|fragen)$/u
const TELLING_INFINITIVE =
  /^(?:sagen|erklären|erläutern|zeigen|nennen|beschreiben|übersetzen|verraten|definieren|aufzählen|zusammenfassen|umrechnen|ausrechnen|berechnen|vergleichen|buchstabieren|empfehlen|vorschlagen|mitteilen|helfen|geben)$/u

const POLITE = /^(kannst|könntest|würdest|magst|willst) du |^(können|könnten|würden) sie |^(kann|könnte) (?:mir )?(?:jemand|wer) /iu
const DIRECTED = /(?<!\p{L})(?:bitte|mir|mich|uns|mein\p{L}*|unser\p{L}*|den|die|das|dem|der|es|ihn|ihm|ihr|diese\p{L}*)(?!\p{L})/iu

/** Another one, or more, of something. "Noch mal" asks for the same again. */
const ANEW =
  '(?:noch (?:so )?(?:ein(?! ?mal)|zwei|drei|vier|fünf|mehr|\\d)\\p{L}*|ein(?:e[nmrs]?)? (?:andere|neue|weitere)[nmrs]?|(?:et)?was andere[sn]?|(?:zwei|drei|andere|weitere) (?:andere|weitere|neue)?n?|mehr)(?!\\p{L})'
const ADDRESSED = '(?:(?:mir|uns|mal|bitte|doch|jetzt|Sie|dir) ){0,4}'
const OBJECT_ANEW = new RegExp(`^${ADDRESSED}${ANEW}`, 'iu')
const ANEW_ALONE = /^noch (?:ein(?! ?mal)(?:e[nmrs]?)?|zwei|drei|mehr)(?!\p{L})/iu
const WANTING_ANEW = new RegExp(
  `^ich (?:hätte|möchte|will|brauche|wünsche mir)(?: gerne?| bitte| jetzt){0,2} (?!eine?n? neue)${ANEW}`,
  'iu'
)
/** Something unspecified, which the teller chooses. */
const TOLD_ANEW = new RegExp(`^${ADDRESSED}(?:eine?n?|was|etwas)(?!\\p{L})(?! (?:über|von|zu[mr]?)(?!\\p{L}))`, 'iu')
const TOLD = new RegExp(`^(?:${ADDRESSED}(?:,|wie|was|wer|wann|wo|warum|ob|den|die|das|mehr)|(?:mir|uns)(?!\\p{L}))`, 'iu')

const ASKING =
  /^(?:wie|was|wer|wen|wem|wessen|wann|wo|woher|wohin|wo(?:r|für|mit|von|zu|durch|bei|nach)\p{L}*|warum|wieso|weshalb|welche[rsmn]?|ist|sind|hat|haben|kann ich|kann man|muss|darf|soll(?:te)?|gibt es|weißt du|wissen sie)(?!\p{L})/iu

const REMINDED = /^(?:mich|uns)(?: bitte| noch ?mal)?,? (?:wie|was|wer|wen|wem|wann|wo|woher|wohin|warum|welche[rsmn]?|ob)(?!\p{L})/iu
/** Prepositions and adverbs, which may also stand before an article. */
const NO_VERBS = wordsOf('ab seit trotz wegen während außer laut samt statt heute gestern danke gerne habe hatte ende')

/** Object of a verb. Excludes a genitive after a noun ("Preis der Karte") and a time ("Wetter die nächsten Tage"). */
const OBJECT =
  /^(?:den|die|das|dem|eine?|einen|mein|meine|meinen|dein|deine|deinen|unsere?n?|diese[ns]?|alle|mir|mich|uns|es|ihn|ihm|bitte|mal|doch)(?!\p{L})(?! (?:nächste|letzte|kommende|ganze)\p{L}* )/u

/** Kind of request; null if the sentence is no request in German. The sentence must begin with its first significant word. */
export function germanRequest(sentence: string): Request {
  if (POLITE.test(sentence)) return politeRequest(sentence)
  if (WANTING_ANEW.test(sentence)) return 'deed'
  if (ASKING.test(sentence)) return 'answer'
  if (sentence.includes('?')) return null
  if (ANEW_ALONE.test(sentence) || /^lass(?:t|en sie)? uns /i.test(sentence)) return 'deed'
  return imperative(sentence)
}

/** Decided by the infinitive at the end of the clause: "Kannst du mir sagen, wann …". */
function politeRequest(sentence: string): Request {
  const [clause = ''] = sentence.split(/[,?!.]/u)
  const infinitive = clause.trim().split(' ').at(-1) ?? ''
  if (TELLING_INFINITIVE.test(infinitive)) return new RegExp(`(?<!\\p{L})${ANEW}`, 'iu').test(clause) ? 'deed' : 'answer'
  if (infinitive === 'erzählen') return /(?<!\p{L})(?:eine?n?|noch) /iu.test(clause) ? 'deed' : 'answer'
  const isDirected = /^(?:könnte|würde)/i.test(clause) || DIRECTED.test(clause.replace(/^\S+ \S+/, ''))
  return DOING_INFINITIVE.test(infinitive) && isDirected ? 'deed' : 'answer'
}

function imperative(sentence: string): Request {
  const { verb, rest } = openingOf(sentence)
  const word = verb.toLowerCase()
  const isPoliteForm = rest.startsWith('Sie ') && word.endsWith('n')
  const stem = isPoliteForm ? word.replace(/e?n$/u, '') : word.replace(/e$/u, '')
  const is = (known: ReadonlySet<string>): boolean => known.has(stem) || known.has(word)
  if (stem === 'erzähl') return OBJECT_ANEW.test(rest) || TOLD_ANEW.test(rest) ? 'deed' : 'answer'
  const isGiving = stem === 'gib' || stem === 'geb'
  if ((isGiving || is(TELLING)) && OBJECT_ANEW.test(rest)) return 'deed'
  if (isGiving || stem === 'sag') return TOLD.test(rest.replace(/^Sie /u, '')) ? 'answer' : 'deed'
  if (stem === 'hilf' || /^lass mich wissen/i.test(sentence) || is(TELLING)) return 'answer'
  if (/^(?:ich|du|er|wir|man)(?!\p{L})/u.test(rest)) return null
  if (stem === 'erinner' && REMINDED.test(rest)) return 'answer'
  if (is(DOING) || isPoliteForm) return 'deed'
  if (isGermanStopWord(word) || NO_VERBS.has(word) || /(?:t|ung|en|er)$/u.test(word)) return null
  return OBJECT.test(rest) ? 'deed' : null
}
