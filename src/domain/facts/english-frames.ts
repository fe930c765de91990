/** English phrasings of questions, and phrases of several words that one word can replace. */
import { frame, opening, type Frame } from './frames.js'

const WH = '(?:how|what|who|whom|whose|when|where|why|which)'
const ME = '(?:i|one)'
const PLEASE = '(?:please |kindly |just )?'
/** A noun phrase of a few words; short, so that it ends within its sentence. */
const THING = '((?:[^\\s?.!,;]+ ){0,5}?[^\\s?.!,;]+)'

/** Politeness and similar phrases around a question. */
const ASK_ME = [
  `(?:can|could|would|will) (?:you|someone|anyone|anybody) ${PLEASE}(?:tell|show|remind|teach|explain to|help) me(?: again| please| understand| to understand)?`,
  `(?:can|could|would|will) (?:you|someone) ${PLEASE}let me know`,
  `(?:can|could|would|will) (?:you|someone) ${PLEASE}(?:explain|say|specify|clarify)`,
  `(?:tell|show|remind|teach) me(?: again)?`,
  'let me know|help me (?:to )?understand|explain(?: to me)?',
  '(?:do|would) you (?:happen to )?(?:know|remember|recall)|does (?:anyone|anybody|someone) (?:happen to )?know',
  '(?:do you have |have you got |have you )?any (?:idea|clue|advice on|tips on)',
  'i (?:want|need|have|wanted) to (?:know|find out|understand|learn|ask)|i would (?:like|love) to (?:know|find out|understand|learn|ask)',
  'i am (?:just )?(?:wondering|curious(?: about)?|trying to (?:find out|figure out|understand|remember))|i was (?:just )?wondering|i wonder',
  'i (?:do not|can not) (?:know|remember|recall|understand)|i (?:forgot|am not sure|have no idea)',
  '(?:can|may|could) i ask(?: you)?|would you mind (?:telling|explaining to) me'
].join('|')

/** The ends of these words are no superlatives. */
const SUPERLATIVE =
  '(?:(?:second|third|fourth|fifth) )?(?:(?:most|least) [a-z]+|best|worst|(?!(?:west|test|guest|interest|request|honest|modest|forest)(?![a-z]))[a-z]{2,}est)'

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

export const ENGLISH_FRAMES: readonly Frame[] = [
  // Contractions.
  frame("won't", 'will not'),
  frame("shan't", 'shall not'),
  frame("can't|cannot", 'can not'),
  [/(?<=\p{L})n't\b/giu, ' not'],
  [/(?<=\p{L})'(?:ll)\b/giu, ' will'],
  [/(?<=\b(?:i|you|we|they|who|what|that|there))'(?:ve)\b/giu, ' have'],
  [/(?<=\b(?:you|we|they|who|what))'re\b/giu, ' are'],
  [/(?<=\bi)'m\b/giu, ' am'],
  [/(?<=\b(?:i|you|we|they|he|she))'d (?=like|love|prefer|rather)/giu, ' would '],
  [/(?<=\b(?:what|where|who|how|when|why|that|there|it|he|she|here))'s\b/giu, ' is'],
  [/\b([ap])\.m\.?(?!\p{L})/giu, '$1m'],
  // Politeness.
  [
    /^\W*(?:(?:hi|hey|hello|ok|okay|so|also|well|please|sorry|thanks|excuse me|(?:one |a )?(?:quick |short )?question)\b[\s,!.:;-]*)+/iu,
    ''
  ],
  [/(?<![\s,])[\s,]+(?:please|thanks|thank you|by the way|exactly)(?=\s*[?.!]*$)/giu, ''],
  // An announced change of subject.
  opening(
    '(?:(?:and |now )?(?:something|one thing) else|another (?:question|thing|topic|subject)|(?:a )?(?:different|new|next) (?:question|topic|subject)|one (?:more|last|other) (?:question|thing)|(?:the |my )?last (?:question|thing)|change of (?:subject|topic))[:,] ',
    ''
  ),
  opening(`(?:${ASK_ME}),? (?:if|whether)`, 'whether'),
  opening(`(?:${ASK_ME}):?,? (?=${WH}\\b)`.replace(/\)$/, ')'), ''),
  opening('(?:what|how) about (?=how)', ''),
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
    `(?:can|could|may) i (?:please )?(?:have|get|know) (?=(?:the|your|his|her) [^?]*\\b(?:number|address|password|code|name|link|email|date))`,
    'what is '
  ),
  opening(
    `(?:(?:can|could|would) you (?:please )?)?(?:give|send|tell) me (?=(?:the|your|his|her) [^?]*\\b(?:number|address|password|code|name|link|date))`,
    'what is '
  ),
  opening(`(?:(?:can|could|would) you (?:please )?)?(?:explain|tell me about)(?: to me)? (?!${WH}\\b|if\\b|that\\b)`, 'what is '),
  opening('what do you know about ', 'what is '),
  opening(`what is ${THING} to me$`, 'what is $1'),
  frame(`(${WH}) exactly`, '$1'),
  frame('(?:can|could|would|will) you (?:please )?(?=show|describe|list|write|give|help|name|translate|summari[sz]e)', ''),
  frame('(?:can|could) you (?:please )?(?=recommend|suggest)', ''),
  // "Which planet is closest to the sun", "what is the closest planet to the sun".
  opening(`(?:which|what) ((?:[a-z]+ )?[a-z]+) (is|are|was|were) (?:the )?(${SUPERLATIVE})`, 'what $2 the $3 $1'),
  [/^\W*any (?!of\b)(?=[^?.!]*\?)/iu, 'is there '],
  // How.
  opening(
    '(?:i|we) (?:want|need|would like|am trying|are trying|have|wish) to ([^?]+?)[,.;:]+ (?:but )?how (?:do|can|does|should) (?:i|we|one|that|this|it)(?: do (?:that|this|it|so)| work| go)?',
    'how to $1'
  ),
  opening('(?:(?:can|could|would) you )?(?:please )?(?:walk|guide|talk) me through ', 'how to '),
  opening('(?:i need |can i get |i would like )?(?:some )?help (?:with |to |in )?(?=\\w+ing )', 'how to '),
  frame('what is (?:the|a) (?:best )?(?:way|method|procedure|process|trick) (?:to|of|for|in)', 'how to'),
  frame('is there (?:a|any) way (?:to|of|for|that i can)', 'how to'),
  frame('in (?:what|which) way (?:can|do|could|should)', 'how do'),
  opening('what are the (?:necessary )?steps (?:to|for|of|in|needed to|required to)', 'how to'),
  opening('(?:what|which steps) (?:do|must|should) (?:i|we) (?:have to |need to )?(?:do|take) (?:in order )?to', 'how to'),
  frame(`how (?:would|can|could|do|does) ${ME}(?: go about)?`, 'how to'),
  frame(`how ${ME} (?:would|can|could)`, 'how to'),
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
  opening(`define ${THING}$`, 'what does $1 mean'),
  opening(`(?:what|how) (is|are|was|were) ${THING} (?:called|named)$`, 'what $1 the name of $2'),
  opening(`what do (?:we|you|they|people) call ${THING}$`, 'what is the name of $1'),
  opening(`what (is|was) ${THING}'s name$`, 'what $1 the name of $2'),
  opening(`how do ${THING} and ${THING} differ(?: from each other)?$`, 'what is the difference between $1 and $2'),
  opening(`how (?:does|is) ${THING} (?:differ|different) from ${THING}$`, 'what is the difference between $1 and $2'),
  opening(`what is the due date (?:of|for) ${THING}$`, 'when is $1 due'),
  // How much of what.
  opening(
    'how (much|many) ((?:[^\\s?.!,;]+ ){0,2}?)(per [a-z]+) ((?:do|does|did|is|are|was|were|can|could|should|must|may|will|would) [^?.!,;]*[^?.!,;\\s])',
    'how $1 $2$4 $3'
  ),
  opening('how much is (?=\\d[\\d.,]* ?(?:%|percent|plus|minus|times|divided by|[+*/×÷-]))', 'what is '),
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
  [/^(how long .+) for(?=\s*[?.!]*$)/iu, '$1'],
  opening(`how deep (is|are|was|were) ${THING}$`, 'what $1 the depth of $2'),
  opening(`how wide (is|are|was|were) ${THING}$`, 'what $1 the width of $2'),
  opening(`how (?:big|large) (is|are|was|were) ${THING}$`, 'what $1 the size of $2'),
  opening(`how old (is|are|was|were) ${THING}$`, 'what $1 the age of $2'),
  opening(`how fast (is|are|was|were) ${THING}$`, 'what $1 the speed of $2'),
  opening(`how fast (?:does|do|can) ${THING} (?:go|travel|move|fly|run|drive)$`, 'what is the speed of $1'),
  opening(`how (?:hot|warm) (is|are|was|were) ${THING}$`, 'what $1 the temperature of $2'),
  opening(`how far (?:away )?is it from`, 'what is the distance from'),
  frame('(is|are|was|were) the (?:amount|quantity) of', '$1 the number of'),
  opening('what is the number of', 'how many'),
  opening(`how many (?:people|inhabitants|residents) (?:live in|are there in|are living in) ${THING}$`, 'what is the population of $1'),
  opening(`how many ${THING} are (?:there )?in ${THING}$`, 'how many $1 does $2 have'),
  opening(`how many (?:inhabitants|residents) (?:does|do) ${THING} have$`, 'what is the population of $1'),
  frame('how frequently', 'how often'),
  opening('what (?:amount|quantity) of', 'how much'),
  // Only for these nouns: how somebody is differs from what they are like.
  opening('what (is|was) the (weather|traffic) like', 'how $1 the $2'),
  // When, why, who, where.
  frame('(?:(?:at|by) )?(?:what|which) (?:exact )?time', 'clocktime'),
  frame('(?:(?:in|on|of) )?(?:what|which) (?:exact )?(?:day|date)', 'calendarday'),
  frame('(?:in )?(?:what|which) year', 'calendaryear'),
  frame('(?:in )?(?:what|which) month', 'calendarmonth'),
  opening(`what (is|was) the (?:date|day) of`, 'when $1'),
  opening(`what (is|was) the deadline (?:for|of)`, 'when $1 the deadline for'),
  opening(`what are the (?:opening|business|office) (?:hours|times) (?:of|for|at) ${THING}$`, 'when is $1 open'),
  frame('how come', 'why'),
  frame('what (?:is|was) the (?:reason|cause) (?:why|that|for which)', 'why'),
  frame('what (?:is|was) the reason (?!for|of)', 'why '),
  frame('for (?:what|which) reason', 'why'),
  frame('(?:which|what) (?:person|people|persons)', 'who'),
  ...MAKERS.map(([maker, made]) => opening(`who (?:is|was|are|were) the (?:${maker}) of`, `who ${made}`)),
  ...MAKERS.map(([, made]) => opening(`who (?:was|were) ${THING} ${made === 'wrote' ? 'written' : made} by$`, `who ${made} $1`)),
  ...MAKERS.map(([, made]) => opening(`by whom (?:was|were) ${THING} ${made === 'wrote' ? 'written' : made}$`, `who ${made} $1`)),
  opening(`who is the owner of`, 'who owns'),
  opening('who is the manager of', 'who manages'),
  opening('who is the leader of', 'who leads'),
  frame('(?:in charge of|responsible for)', 'responsible for'),
  frame('where (?:can|do|could) (?:i|one) (?:find|locate)', 'where is'),
  frame('where (?:can|could) (?=(?:i|we|one)\\b)', 'where do '),
  // What there is.
  opening(`(?:is|are) there (?:any )?${THING} in (the ${THING})$`, 'does $2 have $1'),
  opening('(?:do|does) you (?:have|offer|provide) (?:any )?', 'is there '),
  opening('(?:is|are) there (?:any )?', 'is there '),
  opening('what ([^?.!,]+?) (?:are there|do you offer|do you have|are available)$', 'what are the $1'),
  // Phrases with a one-word equivalent.
  frame('in order to|so as to', 'to'),
  frame('get rid of', 'remove'),
  frame('get(ting)? in touch with', 'contact'),
  frame('reach out to', 'contact'),
  opening('do you ship (?=to )', 'do you deliver '),
  frame('hand(?:ing)? in', 'submit'),
  frame('fill(?:ing)? (?:out|in)', 'complete'),
  frame('put(?:ting)? together', 'assemble'),
  frame('sign(?:ing)? up', 'register'),
  frame('(?:log|sign)(?:ging|ing)? (?:in|on|into)', 'login'),
  frame('(?:log|sign)(?:ging|ing)? (?:out|off)', 'logout'),
  frame('(?:switch|turn) on', 'enable'),
  frame('(?:switch|turn) off', 'disable'),
  frame('switch((?: [^\\s?.!,]+){1,3}?) (on|off)', 'turn$1 $2'),
  frame('turn((?: [^\\s?.!,]+){1,3}?) on', 'enable$1'),
  frame('turn((?: [^\\s?.!,]+){1,3}?) off', 'disable$1'),
  frame('set(?:ting)? up (?=(?:an?|my) )', 'create '),
  frame('free up', 'free'),
  frame('take part', 'participate'),
  frame('takes? place', 'is'),
  frame('close by|in the vicinity|around here', 'nearby'),
  frame('throw (?:away|out)', 'discard'),
  frame('call off', 'cancel'),
  frame('put off', 'postpone'),
  frame('pick up', 'collect'),
  frame('give back', 'return'),
  frame('carry out', 'perform'),
  frame('look up', 'lookup'),
  frame('make sure', 'ensure'),
  frame('for several (?=(?:seconds|minutes|hours|days|weeks|months|years))', 'for '),
  frame('two times', 'twice'),
  frame('with the help of', 'with'),
  frame('at the moment|right now|at present|these days|nowadays', ''),
  frame('type of|sort of', 'kind of')
]
