/** English phrasings of questions. */
import { ENGLISH_COURTESY, WH } from './english-courtesy.js'
import { ENGLISH_PHRASES } from './english-phrases.js'
import { ENGLISH_RELATIONS } from './english-relations.js'
import { frame, opening, THING, type Frame } from './frames.js'

const ME = '(?:i|one)'

/** The ends of these words are no superlatives. */
const SUPERLATIVE =
  '(?:(?:second|third|fourth|fifth) )?(?:(?:most|least) [a-z]+|best|worst|(?!(?:west|test|guest|interest|request|honest|modest|forest)(?![a-z]))[a-z]{2,}est)'

/** How somebody's thing begins: "the", "Anna's". */
const OWNED = "(?:the|your|my|our|his|her|their|\\p{L}+'s?)"
const DETERMINER = '(?:the|this|that|my|our|your|his|her|their|an?)'
const DEFINITE = '(?:the|my|our|your|his|her|their)'

/** Qualities of what somebody does. */
const JUDGED =
  '(?:safe|unsafe|dangerous|risky|legal|illegal|good|bad|healthy|unhealthy|harmful|normal|common|rude|expensive|cheap|hard|easy|difficult)'

/** Words that follow a verb, but not a noun that it would form a compound with: "is drinking water safe". */
const BEHIND_VERB =
  '(?:the|an?|my|your|his|her|our|their|this|that|these|those|it|them|in|on|at|with|without|to|from|by|after|before|during|alone|here|there|abroad|off|up|out|too|more|less)'

/** Amounts, which "how much is" asks for as "what is" does. They end their noun group. */
const AMOUNT =
  '(?:fee|price|cost|rent|deposit|fine|charge|toll|tax|salary|wage|premium|interest|rate|allowance|discount|penalty|limit|balance|budget|fare|surcharge)s?(?=\\s*[?.!]*$| (?:for|of|on|in|at|per|to|with|if|when|after) )'

/** Persons, each with the word for what they have. */
const HAVERS = [
  ['i', 'my'],
  ['we', 'our'],
  ['they', 'their']
] as const

const MAKERS: readonly (readonly [string, string])[] = [
  ['author|writer', 'wrote'],
  ['inventor', 'invented'],
  ['founder', 'founded'],
  ['painter', 'painted'],
  ['composer', 'composed'],
  ['discoverer', 'discovered'],
  ['creator', 'created'],
  ['designer', 'designed'],
  ['winner', 'won']
]

/** What may ask about a thing that was named before, or that is named behind it. */
const ASKER = `(how (?:old|tall|high|long|big|large|heavy|far|deep|wide|fast|much|expensive|often)|what|who|when|where|why|which (?:[a-z]+ )?[a-z]+)`

export const ENGLISH_FRAMES: readonly Frame[] = [
  ...ENGLISH_COURTESY,
  // "The oak in the park, how old is it", "the oak in the park is how old".
  opening(`(${DEFINITE} [^,.:;?!]{1,60}), ${ASKER} (is|are|was|were) (?:it|he|she|they)$`, '$2 $3 $1'),
  opening(
    `(${DEFINITE} [^,.:;?!]{1,60}), ${ASKER} (does|do|did|can|will|should|must) (?:it|he|she|they) ([a-z]+(?: [a-z]+)?)$`,
    '$2 $3 $1 $4'
  ),
  opening(`(${DEFINITE} [^,.:;?!]{1,60}), (${WH} [^,.:;?!]{1,60}?) (?:it|them)$`, '$2 $1'),
  opening(`((?:${DEFINITE}|an?) [^,.:;?!]{1,60}?) (is|are|was|were) ${ASKER}$`, '$3 $2 $1'),
  opening(`((?:${DEFINITE}|an?) [^,.:;?!]{1,60}?) ha(?:s|ve) how (many|much) ([^,.:;?!]{1,40})$`, 'how $2 $3 does $1 have'),
  // Drops articles in comparisons, before the rules that match things by a limited number of words.
  frame('between the ((?:[^\\s?.!,;]+ ){1,3}?)and the ', 'between $1and '),
  // Questions in a subordinate clause become main clauses.
  opening(
    `(how (?:tall|high|heavy|long|deep|wide|big|large|old|fast|hot|warm|much|expensive|far)|what|when|where|who|why) (?!(?:is|are|was|were|do|does|did|can|has|have|will|would|should|kind|type) )${THING} (is|are|was|were)$`,
    '$1 $3 $2'
  ),
  opening(`(how much|what) (?!(?:is|are|was|were|do|does|did|can|has|have|will) )${THING} (cost|weigh|mean)s$`, '$1 does $2 $3'),
  opening(`(how long) (?!(?:is|are|was|were|do|does|did|can|has|have|will) )${THING} (take|last)s$`, '$1 does $2 $3'),
  frame('(?:can|could|would|will) you (?:please )?tell me (?=the|my|your|his|her|our|their)', 'what is '),
  opening(
    `(?:can|could|may) i (?:please )?(?:have|get|know) (?=${OWNED} (?:[^?.!,]+ )?(?:number|address|password|code|name|link|email|date|recipe)(?: (?:of|for|from) [^?.!,]+)?[?.!\\s]*$)`,
    'what is '
  ),
  opening(
    `(?:(?:can|could|would) you (?:please )?)?(?:give|send|tell) me (?=${OWNED} [^?]*\\b(?:number|address|password|code|name|link|date|recipe|price|hours|schedule|score|deadline|difference|rules|meaning))`,
    'what is '
  ),
  opening(`(?:(?:can|could|would) you (?:please )?)?(?:explain|tell me about)(?: to me)? (?!${WH}\\b|if\\b|that\\b)`, 'what is '),
  opening('what do you know about ', 'what is '),
  opening(`i (?:want|need|wanted|would like) to know (?=${DEFINITE} )`, 'what is '),
  opening(`what is ${THING} to me$`, 'what is $1'),
  frame(`(${WH}) exactly`, '$1'),
  frame('(?:can|could|would|will) you (?:please )?(?=show|describe|list|write|give|help|name|translate|summari[sz]e)', ''),
  frame('(?:can|could) you (?:please )?(?=recommend|suggest)', ''),
  // "Which planet is closest to the sun", "what is the closest planet to the sun".
  opening(`(?:which|what) ((?:[a-z]+ )?[a-z]+) (is|are|was|were) (?:the )?(${SUPERLATIVE})`, 'what $2 the $3 $1'),
  opening(
    `(?:which|what) ((?:[a-z]+ )?[a-z]+) ((?:to|for|in|of|from|at|on|near) ${THING}) (is|are|was|were) (?:the )?(${SUPERLATIVE})$`,
    'what $4 the $5 $1 $2'
  ),
  [/^\W*any (?!of\b)(?=[^?.!]*\?)/iu, 'is there '],
  // How.
  opening(
    '(?:i|we) (?:want|need|would like|am trying|are trying|have|wish) to ([^?]+?)[,.;:]+ (?:but )?how (?:do|can|does|should) (?:i|we|one|that|this|it)(?: do (?:that|this|it|so)| work| go)?',
    'how to $1'
  ),
  opening('(?:(?:can|could|would) you )?(?:please )?(?:walk|guide|talk) me through ', 'how to '),
  opening('(?:i need |can i get |i would like )?(?:some )?help (?:with |to |in )?(?=\\w+ing )', 'how to '),
  frame('what is the (?:best |right )?way (?=from )', 'how to get '),
  frame('what is the (?:best |right )?way to (?=(?:the|my|your|our|his|her|their) )', 'how to get to '),
  opening('(?:the )?(best|right) way (to|of) ', 'what is the $1 way $2 '),
  frame('what is (?:(?:the|a) )?(?:(?:best|right|proper|correct|good) )?(?:way|method|procedure|process|trick) (?:to|of|for|in)', 'how to'),
  frame('is there (?:a|any) way (?:to|of|for|that i can)', 'how to'),
  frame('in (?:what|which) way (?:can|do|could|should)', 'how do'),
  opening('what are the (?:necessary )?steps (?:to|for|of|in|needed to|required to)', 'how to'),
  opening('(?:what|which steps) (?:do|must|should) (?:i|we) (?:have to |need to )?(?:do|take) (?:in order )?to', 'how to'),
  frame(`how (?:would|can|could|do|does) ${ME}(?: go about)?`, 'how to'),
  frame(`how ${ME} (?:would|can|could)`, 'how to'),
  frame(`how should ${ME} (?!(?:be|do|act|look|feel|sound|seem|smell|appear|behave|react)(?![a-z]))`, 'how to '),
  opening('(how to [^?.!,]*?)(?: by)? using ', '$1 with '),
  frame('how to (?:know|tell) (?:if|whether|that)', 'how to know if'),
  frame('(?:what|when) (?:is|would be) the (?:best|right|ideal) time(?: of (?:the )?(?:day|year))? to', 'when to'),
  frame('when is it best to', 'when to'),
  frame(`when should ${ME}`, 'when to'),
  opening('what can (?:i|one) do to', 'how to'),
  frame('how do (?:you|we) (?=(?:say|spell|pronounce) )', 'how to '),
  // What to do, what happens, whom to ask.
  opening('what if ', 'what happens if '),
  opening('whom? (?:do|should) i (?=(?:contact|call|ask|inform|notify|(?:talk|speak|turn) to) )', 'who to '),
  ...['my', 'the', 'our', 'i'].map((lead) =>
    opening(`${lead} ([^,.:;?!]+)[,.:;] (?:so )?what (?:(?:do|should) i do(?: now)?|now)$`, `what to do if ${lead} $1`)
  ),
  opening('what (?:do|should) i do (?=(?:if|about|against|in case of|in an) )', 'what to do '),
  opening(`i can not find (${DEFINITE} [^,.:;?!]+)[,.:;] where (?:(?:is|are) (?:it|they)|can i find (?:it|them))$`, 'where is $1'),
  frame('how (?:am i|are we) able to', 'how to'),
  frame('how to best (?=[a-z])', 'how to '),
  frame('(have|has) got', '$1'),
  // May, can, must.
  frame(
    'is it (?:possible|ok|okay|alright|all right|fine|allowed|permitted|permissible) (?:for (?:me|us|one) )?(?:to|if i|that i)',
    'can i'
  ),
  frame('(?:am|is|are) ((?:[^\\s?.!,]+ ){1,3}?)(?:allowed|permitted) to', 'can $1'),
  frame('is it still possible (?:for me )?to', 'can i still'),
  opening('is (\\w+ing) (?:allowed|permitted|possible)', 'can i $1'),
  frame('who (?:is|are) (?:allowed|permitted) to', 'who may'),
  frame('can (?:i|one) legally', 'is it legal to'),
  opening(`is (\\w+ing) ((?:${BEHIND_VERB} [^?.!,;]*?)?)(${JUDGED})(?: for you)?$`, 'is it $3 to $1 $2'),
  frame('(?:am|is|are) ((?:[^\\s?.!,]+ ){0,3}?)going to (?!(?:the|an?|my|your|his|her|our|their|be) )', 'will $1'),
  opening(`how can ${THING} be `, 'how is $1 '),
  frame('(?:may|could) (?=(?:i|we|one)\\b)', 'can '),
  frame('(?:am|is|are) (?:not able|unable) to', 'can not'),
  frame('it is (?:not possible|impossible) (?:for me )?to', 'i can not'),
  frame('(?:do|does) not (?:have|need) to', 'need not'),
  frame('(?:do|does) ((?:[^\\s?.!,]+ ){1,3}?)(?:have|need) to', 'must $1'),
  frame('(?:am i|are we) (?:required|obliged|obligated) to', 'must i'),
  frame('is it (?:necessary|required|mandatory|compulsory|obligatory) (?:for me )?to', 'must i'),
  frame('(?:have|has|need|needs) (?:got )?to', 'must'),
  // What is it, what is it called.
  opening(`what (?:is|are) the (?:meaning|definition) of ${THING}$`, 'what does $1 mean'),
  opening(`what does ${THING} (?:stand for|refer to|signify)$`, 'what does $1 mean'),
  opening('what is meant by (?=an? )', 'what is '),
  opening(`define ${THING}$`, 'what does $1 mean'),
  opening(`(?:what|how) (is|are|was|were) ${THING} (?:called|named)$`, 'what $1 the name of $2'),
  opening(`(?:what|how) (is|are|was|were) ${THING} called (?=(?:that|which|who|where) )`, 'what $1 the name of $2 '),
  opening(`what do (?:we|you|they|people) call ${THING}$`, 'what is the name of $1'),
  opening(`what (is|was) ${THING}'s name$`, 'what $1 the name of $2'),
  opening(`how do ${THING} and ${THING} differ(?: from each other)?$`, 'what is the difference between $1 and $2'),
  opening(`what is ${THING} short for$`, 'what does $1 mean'),
  opening(`what (is|are) ${THING} (?:used )?for$`, 'what $1 the purpose of $2'),
  opening(`how (?:does|is) ${THING} (?:differ|different) from ${THING}$`, 'what is the difference between $1 and $2'),
  opening(`${THING} and ${THING}[,:] what is the difference$`, 'what is the difference between $1 and $2'),
  opening(`(?:what|when) (is|was) the (?:due date|deadline) (?:of|for) ${THING}$`, 'when $1 $2 due'),
  frame('what is the (?:problem|matter|issue|trouble) with', 'what is wrong with'),
  ...HAVERS.map(([who, whose]) =>
    opening(`(?:what|which) ((?:[a-z-]+ ){0,2}[a-z-]+[^su\\s]s) do ${who} have(?! to )`, `what are ${whose} $1`)
  ),
  // How much of what.
  opening(
    'how (much|many) ((?:[^\\s?.!,;]+ ){0,2}?)(per [a-z]+) ((?:do|does|did|is|are|was|were|can|could|should|must|may|will|would) [^?.!,;]*[^?.!,;\\s])',
    'how $1 $2$4 $3'
  ),
  opening('how much is (?=\\d[\\d.,]* ?(?:%|percent|plus|minus|times|divided by|[+*/×÷-]))', 'what is '),
  opening(`how (?:much|high) (is|are|was|were) (?=${DEFINITE} (?:[a-z-]+ ){0,2}${AMOUNT})`, 'what $1 '),
  opening(`what (do|does|did|will|would) ${THING} (spend|pay|earn|weigh)(?= (?:on|for|per|in) \\S|\\s*[?.!]*$)`, 'how much $1 $2 $3'),
  opening(`(?:how much|what) does it cost to `, 'what is the price of '),
  opening(`how (?:much|expensive) (is|are|was|were) (?!left|there\\b|too|enough)${THING}$`, 'what $1 the price of $2'),
  opening(`(?:how much|what) (?:does|do) ${THING} cost$`, 'what is the price of $1'),
  opening(`(?:how much|what) did ${THING} cost$`, 'what was the price of $1'),
  opening(`how much (?:do|must|should) (?:i|we|you) (?:must |have to )?pay for ${THING}$`, 'what is the price of $1'),
  frame('(?:is|are) the (?:cost|costs) (?:of|for)', 'is the price of'),
  frame('is the price for', 'is the price of'),
  opening(`how (?:tall|high) (is|are|was|were) ${THING}$`, 'what $1 the height of $2'),
  opening(`how heavy (is|are|was|were) ${THING}$`, 'what $1 the weight of $2'),
  opening(`(?:how much|what) (?:does|do) ${THING} weigh$`, 'what is the weight of $1'),
  opening(`what (is|are|was|were) the (?:length|duration) of ${THING}$`, 'how long $1 $2'),
  opening(`how much time (does|do|did|will)`, 'how long $1'),
  opening(`how long (?:does|do) (?!it )${THING} (?:take|last)$`, 'how long is $1'),
  opening(`how long did (?!it )${THING} (?:take|last)$`, 'how long was $1'),
  opening(`for how long`, 'how long'),
  opening(`how long (does|did|will|would) it take (?:for )?(?!(?:to|for) )${THING} to `, 'how long $1 $2 take to '),
  opening('how long (?:(?:is it|does it take) )?(?:until|till|til) ', 'how long until '),
  [/^(how long .+) for(?=\s*[?.!]*$)/iu, '$1'],
  opening(`how deep (is|are|was|were) ${THING}$`, 'what $1 the depth of $2'),
  opening(`how wide (is|are|was|were) ${THING}$`, 'what $1 the width of $2'),
  opening(`how (?:big|large) (is|are|was|were) ${THING}$`, 'what $1 the size of $2'),
  opening(`how old (is|are|was|were) ${THING}$`, 'what $1 the age of $2'),
  opening(`how fast (is|are|was|were) ${THING}$`, 'what $1 the speed of $2'),
  opening(`how fast (?:does|do|can) ${THING} (?:go|travel|move|fly|run|drive)$`, 'what is the speed of $1'),
  opening(`how (?:hot|warm) (is|are|was|were) ${THING}$`, 'what $1 the temperature of $2'),
  opening(`how far (?:away )?(is|are|was|were) (?!it )${THING} from ${THING}$`, 'what $1 the distance from $3 to $2'),
  opening(`how far (?:away )?is it from`, 'what is the distance from'),
  frame('(is|are|was|were) the (?:amount|quantity) of', '$1 the number of'),
  opening('what is the number of', 'how many'),
  opening(`how many (?:people|inhabitants|residents) (?:live in|are there in|are living in) ${THING}$`, 'what is the population of $1'),
  opening(`how many ((?:[a-z]+ )?[a-z]+) (?:is it|are there) (?=(?:to|until|from) )`, 'how many $1 '),
  opening(`how (many|much) ${THING} (?:are|is) (?:there )?in ${THING}$`, 'how $1 $2 does $3 have'),
  opening(`how (many|much) ${THING} (?:does|do) ${THING} contain$`, 'how $1 $2 does $3 have'),
  opening(`(do|does) ${THING} contain (?:any )?${THING}$`, '$1 $2 have $3'),
  opening(`(?:is|are) ${THING} included in ${THING}$`, 'does $2 include $1'),
  opening(`how many (?:inhabitants|residents) (?:does|do) ${THING} have$`, 'what is the population of $1'),
  frame('how frequently', 'how often'),
  opening('what (?:amount|quantity) of', 'how much'),
  // Only for these nouns: how somebody is differs from what they are like.
  opening('what (is|was) the (weather|traffic)(?: like)?', 'how $1 the $2'),
  opening("(?:what|how) is (today|tomorrow)'s weather(?: like)?", 'how is the weather $1'),
  opening('(?:what|how) will the weather be(?: like)?(?= (?:today|tonight|tomorrow|this|next|on|at|in) )', 'how is the weather'),
  opening('(?:what|how) will the weather be(?: like)? (today|tonight|tomorrow)$', 'how is the weather $1'),
  // When, why, who, where.
  frame('(?:(?:at|by) )?(?:what|which) (?:exact )?time', 'clocktime'),
  frame('(?:(?:in|on|of) )?(?:what|which) (?:exact )?(?:day|date)', 'calendarday'),
  frame('(?:in )?(?:what|which) year', 'calendaryear'),
  frame('(?:in )?(?:what|which) month', 'calendarmonth'),
  opening(`what (is|was) the (?:date|day) of`, 'when $1'),
  opening(`what (is|was) the deadline (?:for|of)`, 'when $1 the deadline for'),
  opening(`what (is|was) (?=(?:${DEFINITE} )(?:[a-z-]+ )?(?:deadline|due date)[?.!\\s]*$)`, 'when $1 '),
  opening(`what (?:is|are) the (?:opening|business|office) (?:hours|times) (?:of|for|at) ${THING}$`, 'when is $1 open'),
  frame('how come', 'why'),
  opening(`what makes ${THING} ((?:so )?[a-z]+)$`, 'why $1 $2'),
  opening('when was the last time (?:that )?', 'when last '),
  opening(
    `when did ((?:${DEFINITE} )?(?!(?:${DETERMINER}|very|two|three|\\p{L}+'s?) )\\p{L}+) last (?!(?:night|week|month|year) )`,
    'when last did $1 '
  ),
  frame('what (?:is|was) the (?:reason|cause) (?:why|that|for which)', 'why'),
  frame('what (?:is|was) the reason (?!for|of)', 'why '),
  frame('for (?:what|which) reason', 'why'),
  frame('(?:which|what) (?:person|people|persons)', 'who'),
  ...MAKERS.map(([maker, made]) => opening(`who (?:is|was|are|were) the (?:${maker}) of`, `who ${made}`)),
  opening(`who is the owner of`, 'who owns'),
  opening('who is the manager of', 'who manages'),
  opening('who is the leader of', 'who leads'),
  frame('in charge of', 'responsible for'),
  frame('where (?:can|do|could) (?:i|one) (?:find|locate)', 'where is'),
  frame('where (?:can|could) (?=(?:i|we|one)\\b)', 'where do '),
  // What there is.
  opening(`(?:is|are) there (?:any )?${THING} in (${DETERMINER} ${THING})$`, 'does $2 have $1'),
  opening('(?:do|does) you (?:have|offer|provide) (?:any )?', 'is there '),
  opening('(?:is|are) there (?:any )?', 'is there '),
  opening('what ([^?.!,]+?) (?:are there|do you offer|do you have|are available)$', 'what are the $1'),
  ...ENGLISH_RELATIONS,
  ...ENGLISH_PHRASES
]
