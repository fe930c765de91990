/** English questions for what is often asked of persons, places and things, each read in one form. */
import { frame, opening, THING, type Frame } from './frames.js'

const OWNER = "((?:[^\\s?.!,;']+ ){0,4}?[^\\s?.!,;']+)'s?"

const LANGUAGE =
  '(arabic|bulgarian|catalan|chinese|croatian|czech|danish|dutch|english|esperanto|estonian|finnish|french|german|greek|hebrew|hindi|hungarian|icelandic|irish|italian|japanese|korean|latin|latvian|lithuanian|mandarin|norwegian|persian|polish|portuguese|romanian|russian|serbian|slovak|slovenian|spanish|swahili|swedish|thai|turkish|ukrainian|vietnamese|welsh)'

/** Persons whose name tells who they are. */
const PERSON =
  '(?:accountant|agent|author|baker|boss|brother|captain|carer|chairman|chairperson|coach|colleague|composer|contact|cousin|daughter|dean|dentist|director|doctor|father|founder|gardener|grandfather|grandmother|hairdresser|husband|inventor|king|landlady|landlord|lawyer|leader|manager|mayor|minister|mother|neighbour|neighbor|nurse|owner|painter|partner|physiotherapist|pilot|president|principal|queen|roommate|singer|sister|son|supervisor|tax adviser|teacher|therapist|trainer|tutor|uncle|aunt|vet|wife|winner)'

const CHANGES = [
  ['boil', 'boiling'],
  ['melt', 'melting'],
  ['freeze', 'freezing']
] as const

/** Those who make something, each with what they did. */
const MAKING = [
  ['author|writer|poet|novelist', 'wrote'],
  ['artist|painter', 'painted'],
  ['composer', 'composed'],
  ['inventor|scientist|engineer', 'invented'],
  ['scientist|explorer|researcher', 'discovered'],
  ['director|filmmaker', 'directed'],
  ['architect|designer', 'designed']
] as const

export const ENGLISH_RELATIONS: readonly Frame[] = [
  // Birth and death.
  opening(`what (?:is|was) the (?:birthplace|place of birth) of ${THING}$`, 'where was $1 born'),
  opening(`what (?:is|was) ${OWNER} (?:birthplace|place of birth)$`, 'where was $1 born'),
  opening(`what (?:is|was) the (?:date of birth|birth date|birthdate) of ${THING}$`, 'when was $1 born'),
  opening(`what (?:is|was) ${OWNER} (?:date of birth|birth date|birthdate)$`, 'when was $1 born'),
  opening(`what (?:is|was) the date of ${OWNER} death$`, 'when did $1 die'),
  opening(`what (?:is|was) the date of death of ${THING}$`, 'when did $1 die'),
  // Names and words.
  opening('i am called ', 'my name is '),
  opening('how old am i$', 'what is my age'),
  opening(
    `what (is|was) the name of ((?:the|your|my|our|his|her|their|that) (?:[a-z]+ ){0,2}${PERSON}(?: (?:of|at|for|in) [^?.!,]+)?)$`,
    'who $1 $2'
  ),
  opening(
    `what (?:is|are) (?:the )?${LANGUAGE} (?:(?:word|words|translation|expression|term|name) )?(?:for|of) ${THING}$`,
    'how to say $2 in $1'
  ),
  opening(`what is ${THING} (?:called )?in ${LANGUAGE}$`, 'how to say $1 in $2'),
  opening(`what does the (?:abbreviation|acronym|term|word) ${THING} (?=(?:mean|stand for)[?.!\\s]*$)`, 'what does $1 '),
  ...MAKING.map(([maker, made]) => opening(`(?:which|what) (?:${maker}) ${made} `, `who ${made} `)),
  // Places.
  opening("(?:which|what) (?:city|town) is (?=(?:the|[^?.!,]+'s?) capital)", 'what is '),
  opening(`(?:which|what) currency is used in ${THING}$`, 'what is the currency of $1'),
  opening(`(?:which|what) currency (?:does|do) ${THING} (?:use|have)$`, 'what is the currency of $1'),
  // Quantities and times.
  ...CHANGES.map(([change, changing]) =>
    opening(`(?:at )?(?:which|what) temperature (?:does|do|will) ${THING} ${change}$`, `what is the ${changing} point of $1`)
  ),
  opening(`what (is|was) the (start|end|starting|ending) date (?:of|for) ${THING}$`, 'when $1 the $2 of $3'),
  opening('what (is|was) the (flight|journey) time (from [^?.!,]+)$', 'how long $1 the $2 $3'),
  frame('(is|am|are|was|were) (\\S+) years old', '$1 $2'),
  // What is used, what is better.
  opening(`what do (?:people|they|you|we) use ${THING} for$`, 'what is the purpose of $1'),
  opening(`how do people make ${THING}$`, 'how is $1 made'),
  opening(`has ${THING} got `, 'does $1 have '),
  opening(`have ${THING} got `, 'do $1 have '),
  opening(`(?:which|what) is ([a-z]+er|(?:more|less) [a-z]+|better|worse)( for [^?.!,]+)?, (${THING} or ${THING})$`, 'is $3 $1$2')
]
