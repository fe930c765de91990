/**
 * What the wording of a turn reveals about its place in a conversation, independent of topic: whether it asks, and whom. A question and its
 * answer are one adjacency pair: Schegloff and Sacks, "Opening up closings" (1973). English and German.
 */
/** UTF-16 units read at each end of a text, where a turn links to its neighbours. */
const EDGE_CHARACTERS = 400
const QUESTION_MARK = /[?？؟](?=["')\]]?(?:\s|$))/u
const ASKING_START = new RegExp(
  '^\\W*(?:(?:hi|hey|hello|ok|okay|so|and|but|please|hallo|und|aber|bitte|also)\\W+)*(?:' +
    'what|how|why|when|where|who|whom|whose|which|can|could|do|does|did|is|are|was|were|should|would|will|may|shall|has|have you|' +
    "tell|explain|write|show|give|help|find|make|create|list|translate|describe|summari[sz]e|compare|let's|i want|i need|i'd like|" +
    'wie|was|warum|wieso|weshalb|wann|wo|woher|wohin|wer|wem|wen|welche[rsmn]?|kann|kannst|können|könnte|könntest|ist|sind|soll|sollte|' +
    'darf|muss|gibt es|hast du|haben sie|erklär|erkläre|schreib|schreibe|zeig|zeige|gib|hilf|finde|mach|übersetze?|beschreibe?|nenne?|' +
    'ich möchte|ich will|ich brauche' +
    ')(?![\\p{L}\\p{N}])',
  'iu'
)
const SECOND_PERSON = /(?<![\p{L}\p{N}])(?:you|your|yours|u|ur|du|dich|dir|dein\p{L}*|euch|euer|eure\p{L}*)(?![\p{L}\p{N}])/iu
const REQUEST =
  /(?<![\p{L}\p{N}])(?:can|could|would|will|kannst|könntest|würdest|können|könnten|würden) (?:you|u|du|sie|ihr|mir)(?![\p{L}\p{N}])/iu

/**
 * Asks what the other is, has or usually does. Verbs of opinion and of wishing, and what the other is doing just now, go on with what was
 * said.
 */
const GENERAL = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:` +
    String.raw`(?:do|don['’]?t) (?:you|u)(?! (?:think|mean|know|want|need|agree|understand|remember|see|recommend|suggest|mind|guess|believe|suppose|say)(?!\p{L}))|` +
    String.raw`(?<!how )(?:are|aren['’]?t) (?:you|u)(?! (?:sure|able|ok|okay|serious|kidding|gonna|\p{L}+ing)(?!\p{L}))|` +
    String.raw`have (?:you|u) (?:ever|got)|(?:what|who|where|how|when)(?: is| are|['’]s) your|your fav\p{L}+` +
    String.raw`)(?![\p{L}\p{N}])`,
  'iu'
)
const GENERAL_GERMAN =
  /(?<!\p{L})(?!(?:\p{L}*test|warst|meinst|denkst|glaubst|weißt|willst|brauchst|verstehst|empfiehlst|findest) )(?:\p{L}+st|heißt) du(?!\p{L})/iu
/** "Hast du schon gegessen?" asks about something in particular. */
const PARTICIPLE_LAST = /(?<!\p{L})(?:\p{L}{0,9}ge\p{L}{1,20}(?:t|en)|\p{L}{1,20}iert)[^\p{L}]*$/iu
const GIVEN_BACK =
  /(?<=^|[.!?,;])\s*(?:(?:and|so|but|what about|how about|how are|und|aber|was ist mit) )?(?:you|yours|yourself|u|du|dir|dich|deins)\s?\?/iu
const POINTING_BACK = /(?<!\p{L})(?:it|that|this|them|those|these|es|das|davon|daran)(?!\p{L})/iu
/** What a question about something in particular counts ("did you cook it?"), since it more often goes on with a subject. */
const PARTICULAR_SHARE = 0.5

/** Whether the text asks or requests something. All functions here take constant time for any length of text. */
export function isAsking(text: string): boolean {
  return asks(startOf(text), endOf(text))
}

/**
 * Whether the text is the second part of a pair that the last text began: an answer to its question, also one that gives the question back
 * ("fine, and you?"), or a greeting returned. Who greets each time returns none.
 */
export function isReply(text: string, before: readonly string[]): boolean {
  const [last = '', earlier = ''] = before.toReversed()
  return (isOpenQuestion(last) && isAnswer(text)) || (isGreeting(text) && isGreeting(last) && !isGreeting(earlier))
}

function isAnswer(text: string): boolean {
  return !asks(startOf(text).replace(GIVEN_BACK, ''), endOf(text).replace(GIVEN_BACK, ''))
}

function asks(start: string, end: string): boolean {
  return QUESTION_MARK.test(start) || QUESTION_MARK.test(end) || ASKING_START.test(start)
}

/**
 * How far the text asks the other about themselves, as people do to open a subject, 0..1. What they are, have or usually do ("do you have
 * pets?") counts in full and anything else in part; a request ("can you …?") or a question given back ("and you?") does not count. In a
 * text without a topical word only the first does ("what do you do for fun?"), unless it points back ("do you like it?").
 */
export function personalShare(text: string, hasTopic: boolean): number {
  const start = startOf(text)
  if (!hasQuestionMark(text) || !SECOND_PERSON.test(start) || REQUEST.test(start)) return 0
  if (isGeneral(start)) return hasTopic || !POINTING_BACK.test(start) ? 1 : 0
  return hasTopic && !GIVEN_BACK.test(start) ? PARTICULAR_SHARE : 0
}

function isGeneral(start: string): boolean {
  return GENERAL.test(start) || (GENERAL_GERMAN.test(start) && !PARTICIPLE_LAST.test(start))
}

/** Whether a question stands near the end, so that an answer likely follows. */
function isOpenQuestion(text: string): boolean {
  return QUESTION_MARK.test(endOf(text))
}

interface Surroundings {
  /** Beginnings of the text's new words, in lower case. */
  readonly news: readonly string[]
  /** Texts just before it, oldest first. */
  readonly before: readonly string[]
}

/**
 * Whether the text announces something else and a new word follows: "another question, …", "next topic: …", "Themenwechsel: …". So does a
 * greeting that returns none ("hey Ann, …"): who greets anew has come back. Punctuation or "about" must follow.
 */
export function isAnnouncing(text: string, { news, before }: Surroundings): boolean {
  if (news.length === 0) return false
  const start = startOf(text).toLowerCase()
  const greeting = GREETING.exec(start)?.[0]
  const lead = greeting !== undefined && !before.some(isGreeting) ? greeting : ANNOUNCING.exec(start)?.[0]
  return lead !== undefined && news.some((word) => !lead.includes(word))
}

function isGreeting(text: string): boolean {
  return GREETING_START.test(startOf(text))
}

const GREETING_START =
  /^\W*(?:hi|hiya|hey|hello|good (?:morning|afternoon|evening)|hallo|moin|servus|guten (?:morgen|tag|abend))(?![\p{L}\p{N}])/iu
/** With a name or another word of address. */
const GREETING = new RegExp(String.raw`${GREETING_START.source}(?: [\p{L}'’-]+)?(?:\s*[,!.:;–—]|\s+-)`, 'u')

const LEAD = String.raw`(?:(?:ok|okay|so|now|well|anyway|btw|by the way|and|but|also|und|aber|übrigens|jetzt|nun|so|gut)[\s,.:–—-]+){0,3}`
const ANNOUNCEMENTS = [
  String.raw`(?:(?:a|one|on|just|to|now|then|and)\s+){0,2}(?:another|(?:completely |totally )?different|next|new|unrelated|separate|quick|one more)(?: \p{L}+)? (?:question|topic|subject|thing|matter|note|item|point)`,
  String.raw`(?:change of|changing|change|switching|new) (?:the )?(?:topics?|subjects?)`,
  'something (?:completely |totally )?(?:else|different)(?: entirely)?',
  'heads[ -]up|off[ -]topic|(?:completely |totally )?unrelated',
  String.raw`(?:(?:ein|zum|mal|noch|ganz) ){0,2}(?:nächste|neue|andere)[smr]? (?:thema|punkt|sache)`,
  'themenwechsel',
  String.raw`(?:(?:eine|mal|noch|ganz|kurz|kurze) ){0,2}(?:andere|neue|nächste|weitere) \p{L}*frage`,
  String.raw`(?:mal |kurz |noch |und ){1,2}(?:eine |ne )?(?:kurze |schnelle )?\p{L}*frage`,
  '(?:mal |noch |ganz ){0,2}(?:et)?was (?:ganz |völlig )?anderes'
]
/** For texts in lower case: an expression of so many words that ignores case takes four times as long to compile. */
const ANNOUNCING = new RegExp(String.raw`^\W*${LEAD}(?:${ANNOUNCEMENTS.join('|')})(?:\s*[:,;.!–—]|\s+-|\s+(?:about|on|zu[mr]?)\s)`, 'u')

/** Whether the text is only a greeting or a wish, which belongs to no topic whatever it wishes. */
export function isWish(text: string): boolean {
  if (text.length > WISH_LENGTH_MAX || hasQuestionMark(text)) return false
  const parts = text.split(/[.!\n]+/u).filter((part) => /\p{L}/u.test(part))
  return parts.length > 0 && parts.every((part) => WISH.test(part))
}

const WISH_LENGTH_MAX = 120
const WISH = new RegExp(
  String.raw`^[^\p{L}]*(?:(?:(?:and|und|an?|ein(?:en?)?|wish(?:ing)?|you|all|have|we|ich|wünsche?|dir|euch|ihnen) ){0,8}` +
    String.raw`(?:(?:very |sehr )?(?:happy|merry|blessed|belated|frohe[sn]?|fröhliche|schöne[sn]?|gesegnete|good|nice|great|lovely|wonderful|gute[snr]?|frohes|prosit|prost)(?: (?:and|und|neues|happy|belated|new))* ` +
    String.raw`(?:year|birthday|christmas|xmas|easter|holidays?|thanksgiving|halloween|anniversary|hanukkah|diwali|eid|valentine'?s(?: day)?|new year'?s?(?: eve)?|morning|afternoon|evening|night|day|weekend|trip|` +
    String.raw`weihnachten|ostern|pfingsten|feiertage|fest|jahr|neujahr|rutsch|advent|nikolaus|wochenende|morgen|tag|abend|nacht|feierabend|urlaub|geburtstag|reise|besserung))|` +
    String.raw`alles (?:gute|liebe)|herzlichen? glückwunsch|congrat(?:ulation)?s|season'?s greetings|best wishes|get well(?: soon)?|guten rutsch|frohes neues|hello|hi|hey|hallo|moin|servus)` +
    String.raw`(?:[^\p{L}]*$|[\s,]+(?:to|and|und|an|dir|euch|ihnen|everyone|everybody|all|team|folks|friends?|guys|zusammen|allerseits|alle|dear|lieber?|zum|zur|from|von|mein\p{L}*|my|there)(?![\p{L}])[^:;?]*$)`,
  'iu'
)

function hasQuestionMark(text: string): boolean {
  return QUESTION_MARK.test(startOf(text)) || QUESTION_MARK.test(endOf(text))
}

function startOf(text: string): string {
  return text.slice(0, EDGE_CHARACTERS)
}

function endOf(text: string): string {
  return text.slice(-EDGE_CHARACTERS)
}

/** Number of words in the beginning of a text. */
export function wordCount(text: string): number {
  return text
    .slice(0, 200)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '').length
}
