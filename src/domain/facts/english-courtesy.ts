/** What stands around an English question without changing it: contractions, politeness, preambles, and a clause that is put in front. */
import { frame, opening, type Frame } from './frames.js'

export const WH = '(?:how|what|who|whom|whose|when|where|why|which)'
const AUXILIARY = '(?:is|are|am|was|were|do|does|did|can|could|should|would|will|may|must|has|have|had)'
const PLEASE = '(?:please |kindly |just )?'
const FORGOTTEN = '(?: again| any ?more)?'

/** Politeness and similar phrases around a question. */
const ASK_ME = [
  `(?:can|could|would|will) (?:you|someone|anyone|anybody) ${PLEASE}(?:tell|show|remind|teach|explain to|help) me(?: again| please| understand| to understand)?`,
  `(?:can|could|would|will) (?:you|someone) ${PLEASE}let me know`,
  `(?:can|could|would|will) (?:you|someone) ${PLEASE}(?:explain|say|specify|clarify)`,
  `(?:tell|show|remind|teach) me(?: again)?`,
  'let me know|help me (?:to )?understand|explain(?: to me)?',
  '(?:do|would) you (?:happen to )?(?:know|remember|recall)|does (?:anyone|anybody|someone) (?:happen to )?know',
  '(?:do you have |have you got |have you )?any (?:idea|clue|advice on|tips on)',
  'i (?:want|need|have|wanted) to (?:know|find out|understand|learn|ask)|i would (?:like|love|be (?:interested|curious)) to (?:know|find out|understand|learn|ask)',
  'i (?:am|would be) (?:just )?(?:interested in|wondering|curious(?: about)?|trying to (?:find out|figure out|understand|remember))|i was (?:just )?wondering|i wonder',
  `i (?:do not|can not) (?:know|remember|recall|understand)${FORGOTTEN}|i (?:(?:have )?forg[eo]t(?:ten)?|am not sure|have no idea)${FORGOTTEN}`,
  '(?:can|may|could) i ask(?: you)?|would you mind (?:telling|explaining to) me'
].join('|')

/** Courtesies that are set apart from the question by a mark. */
const APART = [
  'sorry(?:,? (?:to|for) (?:bother|disturb|interrupt|ask|bug|bothering|disturbing|interrupting|asking|bugging)(?: you)?)?(?: again)?',
  '(?:i (?:have|have got) )?(?:a|one|another)(?: (?:quick|short|small|little|silly|stupid|simple))? question(?: for you)?',
  '(?:just )?(?:to be sure|to make sure|to double-check|to confirm|checking|curious|wondering|out of curiosity)',
  'hi there|hey there|hi again|good (?:morning|afternoon|evening)|thank you(?: very much| so much)?|many thanks|thanks a lot|by the way|btw|quick one'
].join('|')

/** Words that begin a clause or a phrase of circumstances, which may also stand at the end. */
const LEADS =
  'if when whenever before after since until while during without with for from in on at by to as despite because once under near'

export const ENGLISH_COURTESY: readonly Frame[] = [
  // Contractions, also without their apostrophe.
  frame("won't", 'will not'),
  frame('wont', 'will not'),
  frame("shan't", 'shall not'),
  frame("can't|cannot", 'can not'),
  frame('cant', 'can not'),
  [/(?<=\p{L})n't\b|(?<=\b(?:do|does|did|is|are|was|were|has|have|had|could|would|should))nt\b/giu, ' not'],
  [/(?<=\p{L})'(?:ll)\b/giu, ' will'],
  [/(?<=\b(?:i|you|we|they|who|what|that|there))'(?:ve)\b/giu, ' have'],
  [/(?<=\b(?:you|we|they|who|what))'re\b/giu, ' are'],
  [/(?<=\bi)'?m\b/giu, ' am'],
  [/(?<=\b(?:i|you|we|they|he|she))'d (?=like|love|prefer|rather|be (?:interested|curious))/giu, ' would '],
  [/(?<=\b(?:what|where|who|how|when|why|that|there))'?s\b|(?<=\b(?:it|he|she|here))'s\b/giu, ' is'],
  frame(`(${AUXILIARY}|if|when|what|where|how) u`, '$1 you'),
  [/\b([ap])\.m\.?(?!\p{L})/giu, '$1m'],
  // Politeness.
  [
    /^\W*(?:(?:hi|hey|hello|ok|okay|so|also|well|please|pls|plz|sorry(?! (?:to|for)\b)|thanks|thx|excuse me|(?:one |a )?(?:quick |short )?question)\b[\s,!.:;-]*)+/iu,
    ''
  ],
  [new RegExp(`^\\W*(?:(?:${APART})\\s*[,.!:;–-]+\\s*(?:(?:but|and)\\s)?)+`, 'iu'), ''],
  [/(?<![\s,])[\s,]+(?:please|pls|plz|thanks|thx|thank you|by the way|btw|exactly)(?=\s*[?.!]*$)/giu, ''],
  // Asked again: "what was her name again".
  opening('what (is|was) ((?:the|your|my|our|his|her|their|that) [^?.!,;]+) again$', 'what $1 $2'),
  // An announced change of subject.
  opening(
    '(?:(?:and |now )?(?:something|one thing) else|another (?:question|thing|topic|subject)|(?:a )?(?:different|new|next) (?:question|topic|subject)|one (?:more|last|other) (?:question|thing)|(?:the |my )?last (?:question|thing)|change of (?:subject|topic))[:,] ',
    ''
  ),
  opening(`(?:${ASK_ME}),? (?:if|whether)`, 'whether'),
  opening(`(?:${ASK_ME})(?:[:,]? (?=${WH}\\b)|[:,] (?=${AUXILIARY}\\b))(?=.*)`, ''),
  opening('(?:what|how) about (?=how)', ''),
  // "In Norway, how much is the toll" is "how much is the toll in Norway".
  ...LEADS.split(' ').map((lead) =>
    opening(`${lead} (?!(?:${WH}|${AUXILIARY})\\b)([^,;:.?!]{1,80}), (?:then )?((?:${WH}|${AUXILIARY}) [^?.!]*[^?.!\\s])`, `$2 ${lead} $1`)
  )
]
