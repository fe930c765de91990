/** German questions for what is often asked of persons, places and things, each read in one form. */
import { frame, opening, THING, type Frame } from './frames.js'

const OWNED = '(?:der|die|das|mein|meine|unser|unsere|dein|deine|ihr|ihre|sein|seine)'

const LANGUAGE =
  '(arabisch|bulgarisch|chinesisch|dänisch|deutsch|englisch|estnisch|finnisch|französisch|griechisch|hebräisch|italienisch|isländisch|japanisch|koreanisch|kroatisch|lateinisch|lettisch|litauisch|niederländisch|norwegisch|persisch|polnisch|portugiesisch|rumänisch|russisch|schwedisch|serbisch|slowakisch|slowenisch|spanisch|tschechisch|türkisch|ukrainisch|ungarisch|vietnamesisch)'

/** Ends of words for persons whose name tells who they are. */
const PERSON =
  '(?:arzt|anwalt|autor|bruder|bürgermeister|chef|direktor|erfinder|erzieher|friseur|gründer|kanzler|könig|leiter|lehrer|mann|minister|nachbar|onkel|opa|partner|präsident|regisseur|sohn|steuerberater|therapeut|trainer|vater|vermieter)'
const WOMAN = `(?:${PERSON}in|ärztin|anwältin|frau|hebamme|mutter|oma|schwester|tante|tochter)`

const CHANGES = [
  ['schmilzt', 'Schmelzpunkt'],
  ['(?:kocht|siedet)', 'Siedepunkt'],
  ['gefriert', 'Gefrierpunkt']
] as const

export const GERMAN_RELATIONS: readonly Frame[] = [
  // "Was ist Perus Hauptstadt". Names only: "das Haus" has an s as well.
  [/^Was (?:ist|sind) (?!Das |Dies )(\p{Lu}\p{L}+)s (\p{Lu}\p{L}+)(?=\s*[?.!]*$)/u, 'was ist die $2 von $1'],
  // Birth and death.
  opening(`(wo|wann) ist ${THING} geboren$`, '$1 wurde $2 geboren'),
  opening(`was ist (?:der|die) geburtsort von ${THING}$`, 'wo wurde $1 geboren'),
  opening(`was ist (?:das|die) geburtsdatum von ${THING}$`, 'wann wurde $1 geboren'),
  opening(`was ist (?:das|die) todesdatum von ${THING}$`, 'wann starb $1'),
  // Names and words.
  opening('ich heiße ', 'mein name ist '),
  opening('(?:was|wie hoch) ist mein alter$', 'wie alt bin ich'),
  opening(`wie heißt des (\\p{L}*${PERSON})e?s$`, 'wer ist der $1'),
  opening(`wie heißt der (\\p{L}*${WOMAN})$`, 'wer ist die $1'),
  opening(`wie heißt (mein|dein|sein|ihr|unser)es (\\p{L}*${PERSON})e?s$`, 'wer ist $1 $2'),
  opening(`wie heißt (mein|dein|sein|ihr|unser)er (\\p{L}*${WOMAN})$`, 'wer ist $1e $2'),
  opening(`wie heißt (?=${OWNED} (?:\\p{L}+ )?\\p{L}*(?:${PERSON}|${WOMAN})(?: [^?.!,]+)?[?.!\\s]*$)`, 'wer ist '),
  opening(`(?:wie sagt ich|(?:was|wie) heißt|was ist) ${THING} auf ${LANGUAGE}$`, 'was bedeutet $1 auf $2'),
  opening(
    `was ist (?:das|die|der) ${LANGUAGE}e (?:wort|übersetzung|begriff|ausdruck|name) (?:für|von) ${THING}$`,
    'was bedeutet $2 auf $1'
  ),
  opening('was bedeutet (?:die abkürzung|der begriff|das wort|der ausdruck) ', 'was bedeutet '),
  opening(
    'welche[rs]? (?:autor|schriftsteller|dichter|maler|künstler|komponist|erfinder|regisseur|architekt)(?:in)? (?=(?:hat [^?]*(?:geschrieben|gemalt|komponiert|erfunden|gedreht|entworfen|gebaut)|schrieb|malte|komponierte|erfand|entwarf)(?!\\p{L}))',
    'wer '
  ),
  // Places.
  opening('welche stadt ist (?=die hauptstadt)', 'was ist '),
  opening(`(?:was|wie (?:groß|hoch)) ist die (?:bevölkerung|einwohnerzahl) von ${THING}$`, 'wie viele einwohner hat $1'),
  // Quantities and times.
  frame('bei wie ?viel grad', 'bei welcher temperatur'),
  ...CHANGES.map(([change, point]) => opening(`bei welcher temperatur ${change} ${THING}$`, `was ist die ${point} von $1`)),
  opening('wie lang(?:e dauert)? ist die (flug|fahr)zeit (von [^?.!,]+)$', 'wie lange dauert die $1 $2'),
  opening('wie lange dauert (?:der flug|die fahrt) (von [^?.!,]+ nach [^?.!,]+)$', 'wie lange dauert die flug $1'),
  frame('(ist|bin|sind|war|waren|wurde|wird|werde) (\\S+) jahre alt', '$1 $2'),
  // A thing that is named first, and what is better.
  opening(
    `(${OWNED} [^,.:;?!]{1,60}), (wie (?:alt|groß|hoch|lang|breit|tief|schwer|weit|teuer)|was|wer|wo|wann|warum|wie) (ist|sind|war|waren|heißt|kostet) (?:er|sie|es)$`,
    '$2 $3 $1'
  ),
  opening(`was ist (\\p{L}+er)( für [^?.!,]+)?, (${THING} oder ${THING})$`, 'ist $3$2 $1'),
  opening(`wozu (?:dient|dienen) ${THING}$`, 'wofür ist $1')
]
