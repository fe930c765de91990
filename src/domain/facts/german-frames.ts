/** German phrasings of questions, and phrases of several words that one word can replace. */
import { GERMAN_POSSESSIVE_STEM } from './articles.js'
import { frame, opening, THING, type Frame } from './frames.js'
import { GERMAN_RELATIONS } from './german-relations.js'

const WH = '(?:wie|was|wer|wen|wem|wann|wo|woher|wohin|wof[üu]r|womit|warum|wieso|weshalb|wessen|welche[rsmn]?)'

/** "Of" something: "von", or a genitive, whose article stays. */
const OF = '(?: von|(?= (?:der|des|dieses) ))'
const ARTICLE = `(?:der|die|das|${GERMAN_POSSESSIVE_STEM}e?)`

/** Politeness and similar phrases around a question. */
const ASK_ME = [
  '(?:kannst|könntest|würdest|magst) du (?:mir |uns )?(?:bitte |mal |kurz )*(?:sagen|erklären|zeigen|verraten|erläutern|mitteilen)',
  '(?:können|könnten|würden) sie (?:mir |uns )?(?:bitte |mal |kurz )*(?:sagen|erklären|zeigen|verraten|erläutern|mitteilen)',
  '(?:kann|könnte) (?:mir )?(?:jemand|wer) (?:mir )?(?:bitte )?(?:sagen|erklären|zeigen|verraten)',
  '(?:bitte )?(?:sag|zeig|erklär|verrat|sagen sie|zeigen sie|erklären sie|verraten sie|nenn)e? mir(?: bitte| mal| kurz)*',
  '(?:bitte )?erklär(?:e|en sie)?(?: bitte)?',
  'weißt du(?: noch| vielleicht| zufällig)?|wissen sie(?: noch| vielleicht| zufällig)?|weiß (?:jemand|wer)|hast du eine ahnung|haben sie eine ahnung',
  'ich (?:möchte|will|würde|wollte)(?: gern| gerne| mal)* (?:wissen|erfahren|fragen|verstehen)|ich (?:wüsste|wüßte) gerne?',
  'ich (?:muss|müsste|frage mich|weiß nicht|bin nicht sicher)(?: wissen)?|mich (?:würde )?interessiert?|(?:ich )?habe vergessen|ich habe vergessen',
  'erinnere mich(?: bitte)?(?: daran)?|hilf mir(?: bitte)? (?:zu verstehen|verstehen)|(?:darf|kann) ich (?:dich |sie )?fragen'
].join('|')

const ATTRIBUTES: readonly (readonly [string, string])[] = [
  ['Höhe', 'hoch'],
  ['Länge', 'lang'],
  ['Breite', 'breit'],
  ['Tiefe', 'tief'],
  ['Größe', 'groß'],
  ['Geschwindigkeit', 'schnell'],
  ['Temperatur', 'heiß'],
  ['Entfernung', 'weit']
]

const MAKERS: readonly (readonly [string, string])[] = [
  ['Autor|Verfasser|Autorin', 'geschrieben'],
  ['Erfinder|Erfinderin', 'erfunden'],
  ['Gründer|Gründerin', 'gegründet'],
  ['Entdecker|Entdeckerin', 'entdeckt'],
  ['Maler|Malerin', 'gemalt'],
  ['Komponist|Komponistin', 'komponiert'],
  ['Architekt|Architektin', 'entworfen']
]

export const GERMAN_FRAMES: readonly Frame[] = [
  // "Wie den Ordner löschen?" Before politeness is taken off: "weißt du, wie Impfungen wirken" has a subject.
  [/^\P{L}*[Ww]ie (?=(?:(?:den|die|das|eine?n?|meine?n?) )?\p{Lu}(?:[^?.!,;]|[.,]\d)* \p{Ll}+e?n\s*\?)/u, 'wie ich '],
  [
    /^[^\p{L}\p{N}]*(?:(?:hi|hey|hallo|ok|okay|also|bitte|entschuldigung|sorry|guten tag|(?:eine )?(?:kurze )?frage)(?!\p{L})[\s,!.:;-]*)+/iu,
    ''
  ],
  // An announced change of subject.
  opening(
    '(?:(?:und |noch )?(?:etwas|was) (?:ganz )?anderes|(?:eine )?(?:ganz )?(?:andere|neue|weitere|letzte) (?:frage|sache)|noch (?:etwas|was|eine (?:frage|sache))|themenwechsel|(?:anderes|neues) thema)[:,] ',
    ''
  ),
  [/(?<![\s,])[\s,]+(?:bitte|danke|vielen dank|noch ?mal)(?=\s*[?.!]*$)/giu, ''],
  frame('vom', 'von dem'),
  opening(`(?:${ASK_ME}),? ob`, 'ob'),
  opening(`(?:${ASK_ME}):?,? (?=${WH}(?!\\p{L}))`, ''),
  opening(
    `(?:könnte|kann|dürfte) ich (?:bitte )?(?=(?:die|das|den|deine|ihre) [^?]*(?:nummer|adresse|passwort|code|name|link|mail))([^?]+?) (?:haben|bekommen|erfahren)$`,
    'was ist $1'
  ),
  opening(
    '(?:sag|gib|nenn|nenne|schick|schicke) mir (?:bitte )?(?=(?:die|das|den|deine|ihre) [^?]*(?:nummer|adresse|passwort|code|name|link|mail))',
    'was ist '
  ),
  opening(
    `(?:kannst|könntest|können|könnten) (?:du|sie) mir (?:bitte )?((?:die|das|den|deine|ihre) ${THING}) (?:geben|nennen|mitteilen|schicken)$`,
    'was ist $1'
  ),
  opening(`(?:(?:kannst|könntest) du |(?:können|könnten) sie )(?:mir )?(?:bitte )?(?!${WH})${THING} erklären$`, 'was ist $1'),
  opening(`(?:bitte )?erklär(?:e|en sie)?(?: mir)?(?: bitte)? (?!${WH}|,|ob\\b|dass\\b)`, 'was ist '),
  opening('(?:was versteht man unter|was ist mit dem begriff) ', 'was ist '),
  opening(
    `(?:(?:kannst|könntest) du|(?:können|könnten) sie) (mir )?(?:bitte )?([^?]+?) (empfehlen|zusammenfassen|übersetzen|beschreiben|auflisten|nennen|schreiben)$`,
    '$3 $1$2'
  ),
  frame(`(${WH}) genau`, '$1'),
  // How.
  opening('wie ([^\\s?.!,;]+) (ich|man|wir) am besten', 'wie $1 $2'),
  opening(
    `ich (?:möchte|will|würde gerne?|muss) ([^?]+?)[,.;:]+ (?:aber )?wie (?:geht|mache ich|mach ich|funktioniert|macht man) (?:das|dies)`,
    'wie ich $1'
  ),
  opening('was muss (?:ich|man) (?:tun|machen), um ', 'wie ich '),
  opening('(?:gibt es|besteht|habe ich|hat man)(?: denn)? (?:eine|die|irgendeine) möglichkeit,? ', 'wie ich '),
  opening('(?:was ist|wie ist) (?:die beste|der beste) (?:weg|art|möglichkeit|methode),? (?:um )?', 'wie ich '),
  opening('auf welche weise|auf welchem weg(?:e)?', 'wie'),
  opening('(wie|wo|womit|mit wem) (?:kann|könnte|könnten|können) (ich|man|wir)', '$1 $2'),
  [/^(wie (?:ich|man|wir) .+?) (?:kann|könnte|können)(?=\s*[?.!]*$)/iu, '$1'],
  [/^((?:wie|wo) .+?) (?:kann|könnte) (?:ich|man)(?=\s*[?.!]*$)/iu, '$1'],
  opening('was tun(?=,? (?:wenn|falls|bei|gegen)(?! ich ))', 'was mache ich'),
  frame('was tue ich', 'was mache ich'),
  frame('was kann ich (?:tun|machen)', 'was mache ich'),
  // May, can, must.
  opening('ist es (?:mir )?(?:möglich|machbar),? (?:dass (?:ich|man|wir) )?', 'kann ich '),
  opening('ist es noch möglich,? ', 'kann ich noch '),
  opening(`ist (\\p{L}+en) ([^?]*?)(?:erlaubt|gestattet)$`, 'darf ich $2$1'),
  opening(`wie lässt sich `, 'wie ich '),
  opening('ist es (?:mir )?(?:erlaubt|gestattet|okay|zulässig),? (?:dass (?:ich|man|wir) |wenn (?:ich|man|wir) )?', 'darf ich '),
  opening('(?:bin ich verpflichtet|ist es (?:nötig|notwendig|erforderlich|pflicht)|habe ich die pflicht),? ', 'muss ich '),
  opening(`lässt sich ${THING} (?=\\p{L}+e?n[?.!]*$)`, 'kann ich $1 '),
  opening(`lassen sich ${THING} (?=\\p{L}+e?n[?.!]*$)`, 'kann ich $1 '),
  frame(`${THING} lässt sich nicht (?=\\p{L}+e?n[?.!]*$)`, 'ich kann $1 nicht '),
  frame('ich bin nicht (?:in der lage|imstande|fähig),? ', 'ich kann nicht '),
  frame('es ist (?:mir )?(?:nicht möglich|unmöglich),? ', 'ich kann nicht '),
  frame('man', 'ich'),
  // What it is, what it is called.
  opening(`wie (?:ist|lautet) (?:der|die) namen?${OF}`, 'wie heißt'),
  opening('(?:was|wie) (ist|war) der name (?:von |vom )?', 'wie heißt $1 '),
  opening('wie heißt (?:ist|war) ', 'wie heißt '),
  opening(`wie (?:nennt|bezeichnet) (?:ich|man)`, 'wie heißt'),
  opening(
    'wie heißt (?=(?:die hauptstadt|das gegenteil|das symbol|die währung|die formel|der plural|die nummer|die adresse|das zeichen))',
    'was ist '
  ),
  // Only for these nouns: "Wie ist der Film" asks what it is like.
  opening(`wie (ist|sind|war|waren) (?=${ARTICLE} \\p{L}*(?:namen?|adresse|nummer|passwort|code|stand|status|kurs)(?!\\p{L}))`, 'was $1 '),
  opening(`wie (lautet|lauten) (?=${ARTICLE} )`, 'was $1 '),
  frame('was (?:lautet|lauten)', 'was ist'),
  opening(`(?:was (?:heißt|bedeutet)|welche bedeutung hat) ${THING}$`, 'was bedeutet $1'),
  opening(`was (?:ist|war) die bedeutung (?:von|des|der) ${THING}$`, 'was bedeutet $1'),
  opening(`(?:wofür steht|was meint) ${THING}$`, 'was bedeutet $1'),
  opening(`(?:worin|wie|wodurch) unterscheiden sich ${THING} und ${THING}(?: voneinander)?$`, 'was ist der unterschied zwischen $1 und $2'),
  opening(`(?:worin|wie) unterscheidet sich ${THING} von ${THING}$`, 'was ist der unterschied zwischen $1 und $2'),
  opening('(?:was ist|worin besteht) der Unterschied', 'was ist der unterschied'),
  opening('worin besteht (?=(?:der|die|das) )', 'was ist '),
  // Nouns at the end only, because a verb there would be a participle: "welchen Lehrer hat er gelobt".
  [
    /^[^\p{L}]*[Ww]elche[nrs]? (?!Höhe|Länge|Breite|Tiefe|Größe|Alter|Gewicht)(\p{L}+) (?:hat|haben) ((?:[^\s?.!,;]+ ){0,5}?\p{Lu}[^\s?.!,;]*)(?=\s*[?.!]*$)/u,
    'was ist die $1 von $2'
  ],
  opening(`(?:was|wie) (?:ist|sind) (?:die|der|das) (\\p{L}+)${OF} ${THING}$`, 'was ist die $1 von $2'),
  // How much of what.
  frame('wie ?viel kostet|wie ?viel kosten', 'was kostet'),
  opening(
    '(?:wie ?viel|was) (?:ist|sind|ergibt|ergeben|macht) (?=\\d[\\d.,]* ?(?:%|prozent|plus|minus|mal|durch|geteilt durch|[+*/×÷:-]))',
    'was ist '
  ),
  opening('wie ?viel (?=(?:verdient|verdienen|verbraucht) )', 'was '),
  opening('wie teuer (?:ist|sind)', 'was kostet'),
  opening('wie teuer (?:war|waren)', 'was kostete'),
  opening(`(?:was|wie hoch) ist der preis(?: für|${OF}) `, 'was kostet '),
  opening(`(?:was|wie ?viel) (?:muss ich|bezahle ich|zahle ich) für ${THING}(?: (?:be)?zahlen)?$`, 'was kostet $1'),
  opening(`(?:was|wie ?viel) wiegt|welches gewicht hat|(?:was|wie hoch) ist das gewicht${OF}`, 'wie schwer ist'),
  ...ATTRIBUTES.flatMap(([noun, adjective]) => [
    opening(`welche ${noun} (hat|haben|hatte)`, `wie ${adjective} $1`),
    opening(`(?:was|wie hoch|wie groß) (ist|war) die ${noun}${OF}`, `wie ${adjective} $1`)
  ]),
  opening(`welches alter (?:hat|haben)|(?:was|wie hoch) ist das alter${OF}`, 'wie alt ist'),
  [/^(wie (?:hoch|lang|breit|tief|groß|schnell|heiß|weit|alt)) (?:hat|haben)(?!\p{L})/iu, '$1 ist'],
  opening('wie ?viel zeit (?:braucht|dauert|kostet|benötigt|nimmt|beansprucht)', 'wie lange dauert'),
  opening(`wie lang(?:e)? (?:ist|dauert|geht|währt)`, 'wie lange dauert'),
  opening('(?:was|wie lang) ist die dauer (?:von|der|des)', 'wie lange dauert'),
  opening(`wie viele (?:menschen|leute|einwohner|personen) (?:leben|wohnen|gibt es) in`, 'wie viele einwohner hat'),
  opening('(?:wie (?:groß|hoch)|was) ist die (?:anzahl|zahl) (?:der|von)', 'wie viele'),
  opening('wie häufig', 'wie oft'),
  frame('pro tag|am tag', 'täglich'),
  // When, why, where.
  frame('um wie ?viel uhr|zu welcher uhrzeit', 'uhrzeit'),
  frame('(?:an|zu) (?:welchem|welchen) (?:tag|datum)|an welchen tagen', 'kalendertag'),
  frame('an welch(?:em|er) (?:ort|stelle)', 'wo'),
  frame('in welchem jahr', 'kalenderjahr'),
  frame('in welchem monat', 'kalendermonat'),
  frame(
    '(?:aus welchem grund|weswegen|wie kommt es,? dass|woran liegt es,? dass|was ist der grund,? (?:dafür,? )?(?:dass|warum))',
    'warum'
  ),
  opening('(?:wieso|weshalb)', 'warum'),
  opening('wo (?:finde|sehe|bekomme) ich|wo (?:befinden|befindet) sich|wo (?:liegt|liegen|steht|stehen|hängt|gibt es|bleibt)', 'wo ist'),
  opening(`wo ich ${THING} (?:finden|finde|sehen)$`, 'wo ist $1'),
  frame('(?:welche|was für eine) (?:person|leute|menschen)', 'wer'),
  frame('was für (?:eine[nmrs]? |ein )?', 'welche '),
  ...MAKERS.map(([maker, made]) => opening(`wer (?:ist|war) (?:der|die) (?:${maker})${OF}`, `wer hat ${made}`)),
  ...MAKERS.map(([, made]) => opening(`von wem (?:wurde|ist|sind|wurden) ${THING} ${made}(?: worden)?$`, `wer hat $1 ${made}`)),
  opening(`wer ist (?:der|die) (?:eigentümer|eigentümerin)${OF}`, 'wem gehört'),
  opening(`(?:wer ist|wie heißt) (?:der|die) (?:leiter|leiterin|chef|chefin)${OF}`, 'wer leitet'),
  // What there is.
  opening('(?:habt ihr|haben sie|bietet ihr|bieten sie|anbietet ihr|anbieten sie) ', 'gibt es '),
  opening('welche ([^?.!,]+?) (?:gibt es|habt ihr|haben sie|bietet ihr an|bieten sie an)', 'was sind die $1'),
  frame('(?:ist|hat|haben|sind) (?=[^?]*(?:geöffnet|offen|auf)$)', 'hat '),
  frame('(?:offen|auf)$', 'geöffnet'),
  frame('kaputt gegangen|kaputtgegangen', 'kaputt'),
  frame('falls', 'wenn'),
  frame('bereits', 'schon'),
  frame('sämtliche(?=[nrs]? )', 'alle'),
  frame('maximal', 'höchstens'),
  frame('zwischen (?:der|dem|den|eine[mr]) ((?:[^\\s?.!,;]+ ){1,3}?)und (?:der|dem|den|eine[mr]) ', 'zwischen $1und '),
  frame('für mehrere (?=(?:sekunden|minuten|stunden|tage|wochen|monate|jahre))', 'für '),
  frame('derzeit|zurzeit|zur zeit|im moment|momentan|heutzutage', ''),
  frame('zweimal', 'doppelt'),
  ...GERMAN_RELATIONS
]
