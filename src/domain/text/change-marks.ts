/** Detects wording by which a text replaces or ends something said before, English and German. */

/** Length of the beginning of a text, in UTF-16 units, that is read: such texts say it early and briefly. */
const READ_CHARACTERS = 400

const HESITATION = String.raw`(?:(?:oh|ah|oops|sorry|no|nope|wait|ok|okay|hm+|actually|ach|nein|moment|halt|entschuldigung|doch|eigentlich)[\s,.!–—-]+)`

/** Takes back the words before it, whatever follows. */
const TAKING_BACK = new RegExp(
  `^\\W*${HESITATION}{0,3}(?:correction\\b|(?:scratch|strike) that|make (?:that|it) |i meant\\b|my (?:mistake|bad|error)\\b|` +
    'on second thoughts?\\b|change of plans?\\b|(?:the )?(?:wrong|incorrect) \\w+[,:;.]|that (?:was|is) (?:wrong|not right)|' +
    'korrektur\\b|ich meinte\\b|mein fehler\\b|(?:da |ich )?habe? (?:ich )?mich (?:da )?(?:vertan|geirrt|verschrieben|vertippt)|' +
    '(?:das )?stimmt nicht|das war falsch|falsche[rs]? \\w+[,:;.]|planänderung\\b|doch lieber|quatsch[,:!])',
  'iu'
)
/** Continuations after a hesitation that take back what was said, because they lack a subject of their own. */
const ELLIPSIS = new RegExp(
  `^\\W*${HESITATION}{1,3}(?:it(?:'|’)s |it is |that(?:'|’)s |(?:es|das) (?:ist|sind|war|heißt) |(?:the )?\\d|rather |better |lieber |eher |` +
    '(?:on|at|to|in|for|from|by|um|am|an|im|für|auf|bis|mit|ab|vor|nach) )',
  'iu'
)

/** Whether a text takes back what its speaker said last and says something else instead: "Scratch that, make it eight". */
export function isCorrection(text: string): boolean {
  const start = text.slice(0, READ_CHARACTERS)
  return !start.includes('?') && (TAKING_BACK.test(start) || ELLIPSIS.test(start))
}

/** Subject of a statement: the talk in "The talk is at three". */
const SUBJECT =
  /(?<!\p{L})(?:the|my|our|your|his|her|their|der|die|das|mein|meine|unser|unsere|dein|deine|ihr|ihre) ((?:\p{L}+ ){0,2}\p{L}+) (?:is|are|was|were|starts?|ist|sind|war|waren|beginnt)(?!\p{L})/iu

/** Words of the subject of a correction, as they stand; empty if it states only the new value. */
export function subjectOfCorrection(text: string): string {
  return SUBJECT.exec(text.slice(0, READ_CHARACTERS))?.[1] ?? ''
}

/** End of a clause, so that what has ended is kept apart from its replacement. */
const CLAUSE_END = /[,;:.!?](?=\s|$)|\s(?:and|but|und|aber|sondern)\s/iu
const OBJECT_ENDS =
  'no longer|quit|cancell?ed|replaced?|sold|closed|dropped(?! off| by| in)|ditched|gave up|given up|stopped|swapped(?: with)?|got rid of|' +
  '(?:moved|switched|migrated) (?:away |off )?from|instead of|rather than'
const SUBJECT_IS_OVER =
  '(?:is|are|was|were|got|has been|have been) (?:out|gone|over|replaced|cancell?ed|dropped|retired|sold|discontinued|removed)'
const SUBJECT_LEFT = '(?:left|any ?more)'
const CLAUSE_ENDS =
  'nicht mehr|keine?n? (.*) mehr|gekündigt|ersetzt|verkauft|aufgehört|aufgelöst|getauscht|abgelöst|abgeschafft|abgesetzt|abbestellt|' +
  'eingestellt|weg|raus|statt'
/**
 * Whether a text can match one of the three patterns below: most cannot, and this takes a tenth of their time. Two letters fold to ASCII
 * ones only in the patterns' case folding, which is that of Unicode.
 */
const MAY_END = new RegExp(`[\u017f\u212a]|\\b(?:${OBJECT_ENDS}|${SUBJECT_IS_OVER}|${SUBJECT_LEFT}|${CLAUSE_ENDS})`, 'i')
/** What follows has ended. */
const ENDING_OBJECT = new RegExp(`\\b(?:${OBJECT_ENDS})\\s+(.*)`, 'iu')
/** What stands before has ended. */
const ENDING_SUBJECT = new RegExp(`^(.*?)\\s(?:${SUBJECT_IS_OVER}|${SUBJECT_LEFT}$)(?:$|\\s)`, 'iu')
/** In German the whole clause counts: its verb comes last, and its object may stand anywhere. */
const ENDING_CLAUSE = new RegExp(`\\b(?:${CLAUSE_ENDS})(?:$|\\s)`, 'iu')
/** The actor is the speaker or nobody named; otherwise the clause's subject would be taken for what has ended. */
const GERMAN_ACTOR = /\b(?:ich|wir|ist|sind|wird|wurde|wurden|statt)\b/iu
/** The replacement, or its purpose. */
const REPLACEMENT = /\s(?:with|for|by|because|durch|gegen|für|wegen)\s.*/iu

/** Words that name what was ended or replaced, as they stand: "the car" in "I sold the car and cycle". Empty if nothing ends. */
export function endedIn(text: string): string {
  const start = text.slice(0, READ_CHARACTERS)
  if (!MAY_END.test(start)) return ''
  return start
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

/** Whether small words mark that something is different now. */
export function isMarkedAsChange(text: string): boolean {
  return MARKED.test(text.slice(0, READ_CHARACTERS))
}

/** Where somebody went to or came from: "moved to Cork", but not "moved the sofa"; also jobs and marriages that began or ended. */
const GOALS: readonly RegExp[] = [
  /(?<!\p{L})(?:mov(?:e|ed|ing)|relocat(?:e|ed|ing)|settled|switch(?:ed|ing)?|transferred|migrat(?:e|ed|ing)|convert(?:ed|ing)?|upgrad(?:e|ed|ing)) (?:\p{L}+ly |over |back |house )?(?:to|into|in|from|onto|out|away)(?!\p{L})/iu,
  /(?<!\p{L})(?:start(?:ed|ing)?|promoted|put (?:me|us)) (?:(?:\p{L}+ly|over|back) )?(?:to|as|at|in|with|on|onto)(?!\p{L})/iu,
  /(?<!\p{L})[Jj]oin(?:ed)? (?:the )?\p{Lu}/u,
  /(?<!\p{L})(?:start|left|leav|quit|chang|switch|got|took)(?:e|ed|ing)? (?:(?:a|my|our|the|another) )?(?:new )?(?:jobs?|position|role|company|employer)(?!\p{L})/iu,
  /(?<!\p{L})(?:nach|zum?|zur|auf|beim?|als|ins?|aus|von) (?:[\p{L}\p{N}]+ ){1,4}(?:gewechselt|umgestiegen|umgestellt|migriert)(?!\p{L})/iu,
  // With "haben" somebody has pulled a thing there.
  /(?<!\p{L})(?<!(?<!\p{L})ha(?:be|ben|t|st|bt|tten?) [^.!?]{0,80})(?:nach|zum?|zur|auf|beim?|ins?|an|aus) (?:[\p{L}\p{N}]+ ){1,4}gezogen(?!\p{L})/iu,
  /(?<!\p{L})(?:beim?|als|ins?) (?:\p{L}+ ){1,4}(?:angefangen|eingestellt|angestellt|gekündigt)(?!\p{L})/iu,
  /(?<!\p{L})(?:ziehen?|zogen?|zog|wechsle|wechseln|wechselten?) (?:\p{L}+ ){0,3}(?:nach|zum?|zur|ins?|auf|aus)(?!\p{L})/iu,
  /(?<!\p{L})(?:job|stelle|arbeitsplatz|arbeitgeber) (?:\p{L}+ ){0,2}(?:gewechselt|angefangen|gekündigt|bekommen)(?!\p{L})/iu,
  /(?<!\p{L})(?:married|divorced|engaged|separated|split up|umgezogen|verzogen|geheiratet|geschieden|getrennt|verlobt)(?!\p{L})/iu
]

/** Whether the text says where somebody went or came from, or that a job or a marriage began or ended. */
export function tellsGoal(text: string): boolean {
  const start = text.slice(0, READ_CHARACTERS)
  return GOALS.some((goal) => goal.test(start))
}
