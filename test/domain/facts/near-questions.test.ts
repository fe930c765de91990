/** English questions that a frame brings near to each other: pairs that ask the same, and pairs that must stay apart. */
import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

const ALIKE = `
Is planning permission needed for a shed? | Do I need planning permission for a shed?
Is travelling alone in Peru safe? | Is it safe to travel alone in Peru?
How long does a panda sleep? | How long do pandas sleep?
Can a young dog eat grapes? | Can young dogs eat grapes?
Does the house have an elevator? | Is there a lift in the house?
Which bank in Rome is the oldest? | What is the oldest bank in Rome?
Which year was the mill built? | When was the mill built?
Why isn't it on when I plug it in? | Why is it not on when I plug it in?
When I'm abroad, how do I top up? | How do I top up when I'm abroad?
`

const APART = `
Which year do I prune roses? | When do I prune roses?
If I don't pay, will they sue? | If I pay, won't they sue?
Will they sue if I don't pay? | Won't they sue if I pay?
If Anna calls, will Ben come? | Will Anna come if Ben calls?
When does it start, can I bring a friend? | Can I bring a friend when it starts?
From Rome, which train goes to Oslo? | Which train goes to Rome from Oslo?
Without sugar, is coffee good with milk? | Without milk, is coffee good with sugar?
Before lunch, what do I take after dinner? | After lunch, what do I take before dinner?
Can I get my address changed? | What is my changed address?
Which route to the city is the best? | Which city on the route is the best?
How should I behave at court? | How do I behave at court?
How do I know when the bus comes? | How do I know if the bus comes?
What is a good time for a marathon? | What is the best time for a marathon?
When should I take the pill? | When must I take the pill?
What can I do if he doesn't pay? | What should I do if he doesn't pay?
Is drinking water safe? | Is it safe to drink water?
Is having a dog expensive? | Is a dog expensive?
Is it safe for me to fly? | Is it safe for you to fly?
Can I legally record him? | Can you legally record him?
What is meant by that? | What is that?
What is a deposit? | How much is a deposit?
How much is the deposit box? | What is the deposit box?
What did I pay for? | How much did I pay for it?
What does it cost me to park? | What does it cost you to park?
How long does it take Anna to reach Ben? | How long does Ben take to reach Anna?
How long until the concert? | How long is the concert?
How far is it from Rome to Oslo? | How far is it from Oslo to Rome?
Does the box contain the bag? | Does the bag contain the box?
How will the weather be? | How is the weather?
When did the last guest leave? | When did the guest last leave?
When did Anna last see Ben? | When did Ben last see Anna?
Is the bar open all night? | Is the bar open at night?
Is one per day enough? | Is a day enough?
Who was the dog bitten by? | Who did the dog bite?
Who was hired by Anna? | Who was Anna hired by?
By whom is it painted? | Who painted it?
What books do I have to read? | What are my books?
What was she elected again? | What was she elected?
What if I lose my ticket? | What would happen if I lost my ticket?
Who should I call? | Who should call me?
Who may vote? | Who can vote?
What do I do about moths? | What do I do with moths?
What is the acid for? | What is the acid made for?
Does a guest bring a friend? | Do guests bring friends?
Does a guest pay? | Do the guests pay?
Is a nurse here? | Are nurses here?
Did a nurse strike? | Did nurses strike?
Can a dog swim? | Can some dogs swim?
Is parking free? | Is the park free?
How is cooking done? | How is he cooking?
`

const pairsOf = (lines: string): [string, string][] =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.split(' | ') as [string, string])

t.test('questions that a frame makes equal ask the same, whichever comes first', async (t) => {
  for (const [a, b] of pairsOf(ALIKE)) t.same([factsDiffer(a, b), factsDiffer(b, a)], [null, null], `${a} | ${b}`)
})

t.test('questions that a frame brings near to each other stay apart, whichever comes first', async (t) => {
  for (const [a, b] of pairsOf(APART)) {
    t.not(factsDiffer(a, b), null, `${a} | ${b}`)
    t.not(factsDiffer(b, a), null, `${b} | ${a}`)
  }
})
