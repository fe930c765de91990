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
  /\b(?:nicht mehr|keine?n? .* mehr|gekündigt|ersetzt|verkauft|aufgehört|aufgelöst|getauscht|abgelöst|abgeschafft|abgesetzt|abbestellt|eingestellt|weg|raus|statt)(?:$|\s)/iu
/** Who acts in it is the speaker, or nobody is named: otherwise its subject would be taken for what is ended. */
const GERMAN_ACTOR = /\b(?:ich|wir|ist|sind|wird|wurde|wurden|hat mit|haben mit|statt)\b/iu
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
  return ENDING_CLAUSE.test(clause) && GERMAN_ACTOR.test(clause) ? [clause.replace(REPLACEMENT, '')] : []
}

const MARKED =
  /(?<![\p{L}])(?:no longer|any ?more|instead|now|these days|from now on|new|nicht mehr|sondern|jetzt|nun|inzwischen|mittlerweile|neuerdings|ab sofort|stattdessen|neue[nrms]?|seit)(?![\p{L}])/iu

/** Whether it says by small words that something is otherwise now. */
export function isMarkedAsChange(text: string): boolean {
  return MARKED.test(text.slice(0, READ_CHARACTERS))
}
