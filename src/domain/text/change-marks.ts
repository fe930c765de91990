/** How a text says that it puts something in the place of what was said, English and German. */

/** UTF-16 units of a text, the first ones, that are read for it: what changes is said early, and shortly. */
const READ_CHARACTERS = 400

const HESITATION = String.raw`(?:(?:oh|ah|oops|sorry|no|nope|wait|ok|okay|hm+|actually|ach|nein|moment|halt|entschuldigung|doch|eigentlich)[\s,.!–—-]+)`

/** What takes back the words before it, whatever follows. */
const TAKING_BACK = new RegExp(
  `^\\W*${HESITATION}{0,3}(?:correction\\b|(?:scratch|strike) that|make (?:that|it) |i meant\\b|my (?:mistake|bad|error)\\b|` +
    'on second thoughts?\\b|change of plans?\\b|(?:the )?(?:wrong|incorrect) \\w+[,:;.]|that (?:was|is) (?:wrong|not right)|' +
    'korrektur\\b|ich meinte\\b|mein fehler\\b|(?:da |ich )?habe? (?:ich )?mich (?:da )?(?:vertan|geirrt|verschrieben|vertippt)|' +
    '(?:das )?stimmt nicht|das war falsch|falsche[rs]? \\w+[,:;.]|planänderung\\b|doch lieber|quatsch[,:!])',
  'iu'
)
/** What follows a hesitation where it takes back: no subject of its own. */
const ELLIPSIS = new RegExp(
  `^\\W*${HESITATION}{1,3}(?:it(?:'|’)s |it is |that(?:'|’)s |(?:es|das) (?:ist|sind|war|heißt) |(?:the )?\\d|rather |better |lieber |eher |` +
    '(?:on|at|to|in|for|from|by|um|am|an|im|für|auf|bis|mit|ab|vor|nach) )',
  'iu'
)

/** Whether a text takes back what its speaker said last, and says something else instead: "Scratch that, make it eight". */
export function isCorrection(text: string): boolean {
  const start = text.slice(0, READ_CHARACTERS)
  return !start.includes('?') && (TAKING_BACK.test(start) || ELLIPSIS.test(start))
}

/** What a sentence is about that says how something is: "The talk is at three". */
const SUBJECT =
  /(?<!\p{L})(?:the|my|our|your|his|her|their|der|die|das|mein|meine|unser|unsere|dein|deine|ihr|ihre) ((?:\p{L}+ ){0,2}\p{L}+) (?:is|are|was|were|starts?|ist|sind|war|waren|beginnt)(?!\p{L})/iu

/** The words of what a correction is about, as they stand; empty where it says only what is meant. */
export function subjectOfCorrection(text: string): string {
  return SUBJECT.exec(text.slice(0, READ_CHARACTERS))?.[1] ?? ''
}

/** Where a clause ends, so that what is ended is not taken for what comes instead. */
const CLAUSE_END = /[,;:.!?](?=\s|$)|\s(?:and|but|und|aber|sondern)\s/iu
/** What follows is ended. */
const ENDING_OBJECT =
  /\b(?:no longer|quit|cancell?ed|replaced?|sold|closed|dropped(?! off| by| in)|ditched|gave up|given up|stopped|swapped(?: with)?|got rid of|(?:moved|switched|migrated) (?:away |off )?from|instead of|rather than)\s+(.*)/iu
/** What stands before it is. */
const ENDING_SUBJECT =
  /^(.*?)\s(?:(?:is|are|was|were|got|has been|have been) (?:out|gone|over|replaced|cancell?ed|dropped|retired|sold|discontinued|removed)|(?:left|any ?more)$)(?:$|\s)/iu
/** The whole of a German clause: its verb comes last, and its object anywhere. */
const ENDING_CLAUSE =
  /\b(?:nicht mehr|keine?n? (.*) mehr|gekündigt|ersetzt|verkauft|aufgehört|aufgelöst|getauscht|abgelöst|abgeschafft|abgesetzt|abbestellt|eingestellt|weg|raus|statt)(?:$|\s)/iu
/** Who acts in it is the speaker, or nobody is named: otherwise its subject would be taken for what is ended. */
const GERMAN_ACTOR = /\b(?:ich|wir|ist|sind|wird|wurde|wurden|statt)\b/iu
/** What comes instead, or what it is for. */
const REPLACEMENT = /\s(?:with|for|by|because|durch|gegen|für|wegen)\s.*/iu

/** Of what is said to be ended or replaced the words as they stand: "I sold [the car] and cycle". Empty for a text that ends nothing. */
export function endedIn(text: string): string {
  return text
    .slice(0, READ_CHARACTERS)
    .split(CLAUSE_END)
    .flatMap((clause) => endedInClause(clause.trim()))
    .join(' ')
}

function endedInClause(clause: string): string[] {
  const ended = ENDING_OBJECT.exec(clause)?.[1] ?? ENDING_SUBJECT.exec(clause)?.[1]
  if (ended !== undefined) return [ended.replace(REPLACEMENT, '')]
  return ENDING_CLAUSE.test(clause) && GERMAN_ACTOR.test(clause)
    ? [clause.replace(REPLACEMENT, '').replace(ENDING_CLAUSE, '$1').trim()]
    : []
}

const MARKED =
  /(?<![\p{L}])(?:no longer|any ?more|instead|now|these days|from now on|new|nicht mehr|sondern|jetzt|nun|inzwischen|mittlerweile|neuerdings|ab sofort|stattdessen|neue[nrms]?|seit)(?![\p{L}])/iu

/** Whether it says by small words that something is otherwise now. */
export function isMarkedAsChange(text: string): boolean {
  return MARKED.test(text.slice(0, READ_CHARACTERS))
}

/** Where somebody came or went to, or from: "moved to Cork", and not "moved the sofa"; a job or a marriage that one began or ended. */
const GOALS: readonly RegExp[] = [
  /(?<!\p{L})(?:mov(?:e|ed|ing)|relocat(?:e|ed|ing)|settled|switch(?:ed|ing)?|transferred|migrat(?:e|ed|ing)|convert(?:ed|ing)?|upgrad(?:e|ed|ing)) (?:\p{L}+ly |over |back |house )?(?:to|into|in|from|onto|out|away)(?!\p{L})/iu,
  /(?<!\p{L})(?:start(?:ed|ing)?|promoted|put (?:me|us)) (?:(?:\p{L}+ly|over|back) )?(?:to|as|at|in|with|on|onto)(?!\p{L})/iu,
  /(?<!\p{L})[Jj]oin(?:ed)? (?:the )?\p{Lu}/u,
  /(?<!\p{L})(?:start|left|leav|quit|chang|switch|got|took)(?:e|ed|ing)? (?:(?:a|my|our|the|another) )?(?:new )?(?:jobs?|position|role|company|employer)(?!\p{L})/iu,
  /(?<!\p{L})(?:nach|zum?|zur|auf|beim?|als|ins?|aus|von) (?:\p{L}+ ){1,4}(?:gezogen|gewechselt|umgestiegen|umgestellt|migriert)(?!\p{L})/iu,
  /(?<!\p{L})(?:beim?|als|ins?) (?:\p{L}+ ){1,4}(?:angefangen|eingestellt|angestellt|gekündigt)(?!\p{L})/iu,
  /(?<!\p{L})(?:ziehen?|zogen?|zog|wechsle|wechseln|wechselten?) (?:\p{L}+ ){0,3}(?:nach|zum?|zur|ins?|auf|aus)(?!\p{L})/iu,
  /(?<!\p{L})(?:job|stelle|arbeitsplatz|arbeitgeber) (?:\p{L}+ ){0,2}(?:gewechselt|angefangen|gekündigt|bekommen)(?!\p{L})/iu,
  /(?<!\p{L})(?:married|divorced|engaged|separated|split up|umgezogen|verzogen|geheiratet|geschieden|getrennt|verlobt)(?!\p{L})/iu
]

/** Whether it says where somebody came or went to or from, or that they began or ended a job or a marriage. */
export function tellsGoal(text: string): boolean {
  const start = text.slice(0, READ_CHARACTERS)
  return GOALS.some((goal) => goal.test(start))
}
