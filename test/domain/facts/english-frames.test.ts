/** Frames of English questions and what they are read as: one question per frame, one line each. */
import t from 'tap'
import { ENGLISH_FRAMES } from '../../../src/domain/facts/english-frames.js'
import { withoutFrames } from '../../../src/domain/facts/frames.js'
import { inOneGo } from '../../../src/domain/pieces.js'

const READINGS = `
The oak in the park, how old is it? → what is the age of The oak in the park?
The visa, how long does it take? → how long is The visa?
My router, where did I buy it? → where did I buy My router?
The mast is how tall? → what is the height of The mast?
A team has how many players? → how many players does A team have?
The mast, which is tall, where is it? → The mast, which is tall, where is it?
My phone won't charge → My phone will not charge
We shan't pay → We shall not pay
I cannot swim → I can not swim
They don't sing → They do not sing
You'll see → You will see
I've eaten → I have eaten
They're late → They are late
I'm late → I am late
I'd like tea → I would like tea
Where's the key? → Where is the key?
Open at 7 a.m.? → Open at 7 am?
Hi, where is the key? → where is the key?
Where is the key, please? → Where is the key?
Can you tell me if the shop is open? → whether the shop is open?
Could you please tell me where the key is? → where is the key?
What about how it ends? → how it ends?
Tell me how tall the mast is → what is the height of the mast
Let me know how much the pass costs → what is the price of the pass
I wonder how long the tour takes → how long is the tour
Could you tell me the code of the door? → what is the code of the door?
May I have the address of the shop? → what is the address of the shop?
Please give me your number → what is your number
Explain entropy → what is entropy
What do you know about moss? → what is moss?
What is moss to me? → what is moss?
Where exactly is it? → Where is it?
Can you please list the rivers? → list the rivers?
Can you recommend a book? → recommend a book?
I want to bake bread, but how do I do that? → how to bake bread?
Walk me through baking bread → how to baking bread
I need help with baking bread → how to baking bread
What is the best way to bake bread? → how to bake bread?
How do I best bake bread? → how to bake bread?
Which city is the second largest in Peru? → what is the second largest city in Peru?
What is the second largest city in Peru? → What is the second largest city in Peru?
Which trams are most crowded? → what are the most crowded trams?
Which rate is interest? → Which rate is interest?
Any seats near the door? → is there seats near the door?
How much bread per day do I need? → how much bread do I need a day?
How much is 20% of 150? → what is 20% of 150?
Is there any way to bake bread? → how to bake bread?
In what way can I bake bread? → how to bake bread?
What are the steps to bake bread? → how to bake bread?
What do I have to do to bake bread? → how to bake bread?
How would one go about baking? → how to baking?
How one could bake bread → how to bake bread
How am I able to bake bread? → how to bake bread?
She has got a car → She has a car
Is it OK to park here? → can i park here?
Is my guest allowed to park here? → can my guest park here?
Is it still possible to park here? → can i still park here?
Is smoking allowed here? → can i smoking here?
Are they going to win? → will they win?
How can bread be baked? → how is bread baked?
May I park here? → can I park here?
It is impossible to park here → i can not park here
They do not have to pay → They need not pay
Do I need to pay? → must I pay?
Am I required to pay? → must i pay?
Is it mandatory to pay? → must i pay?
They have to pay → They must pay
What is the meaning of serene? → what does serene mean?
What does NASA stand for? → what does NASA mean?
Define serene → what does serene mean
How is this bird called? → what is the name of this bird?
What do you call this bird? → what is the name of this bird?
What was the dog's name? → what was the name of the dog?
How do frogs and toads differ? → what is the difference between frogs and toads?
How is a frog different from a toad? → what is the difference between a frog and a toad?
What is the due date of the essay? → when is the essay due?
How expensive are the shoes? → what are the price of the shoes?
How much does the pass cost? → what is the price of the pass?
How much did the pass cost? → what was the price of the pass?
How much must I pay for the pass? → what is the price of the pass?
What is the cost of the pass? → What is the price of the pass?
What is the price for the pass? → What is the price of the pass?
How tall is the mast? → what is the height of the mast?
How heavy is the anvil? → what is the weight of the anvil?
How much does the anvil weigh? → what is the weight of the anvil?
What is the duration of the tour? → how long is the tour?
How much time does the tour take? → how long is the tour?
How long does the tour last? → how long is the tour?
How long did the tour last? → how long was the tour?
For how long is the shop open? → how long is the shop open?
How long does he wait for? → How long does he wait?
How deep is the lake? → what is the depth of the lake?
How wide is the lake? → what is the width of the lake?
How large is the lake? → what is the size of the lake?
How old is the bridge? → what is the age of the bridge?
How fast is the train? → what is the speed of the train?
How fast can the train go? → what is the speed of the train?
How hot is the soup? → what is the temperature of the soup?
How far away is it from Rome to Oslo? → what is the distance from Rome to Oslo?
What is the number of rooms? → how many rooms?
How many people live in Malta? → what is the population of Malta?
How many rooms are there in the hotel? → how many rooms does the hotel have?
How many inhabitants does Malta have? → what is the population of Malta?
How frequently does it rain? → how often does it rain?
What quantity of salt? → how much salt?
What is the weather like today? → how is the weather today?
At what time is lunch? → clocktime is lunch?
On which day is lunch? → calendarday is lunch?
In which year is it? → calendaryear is it?
In what month is it? → calendarmonth is it?
What is the date of the feast? → when is the feast?
What is the deadline for the essay? → when is the essay due?
When was the due date of the essay? → when was the essay due?
What is the next deadline? → when is the next deadline?
What is the deadline of Monday's essay in maths or in art and music and sport? → when is the deadline for Monday's essay in maths or in art and music and sport?
What are the opening hours of the shop? → when is the shop open?
How come it rains? → why it rains?
What is the reason why it rains? → why it rains?
For what reason does it rain? → why does it rain?
Which person sings? → who sings?
Who is the author of Emma? → who wrote Emma?
Who is the owner of the house? → who owns the house?
Who is the manager of the shop? → who manages the shop?
Who is the leader of the band? → who leads the band?
Who is in charge of the shop? → Who is responsible for the shop?
Where can I find the key? → where is the key?
Where can we park? → where do we park?
Is there a pool in the hotel? → does the hotel have a pool?
Do you offer any discounts? → is there discounts?
What seats are available? → what are the seats?
We save in order to travel → We save to travel
Get rid of the moss → remove the moss
Getting in touch with Ann → contact Ann
Reach out to Ann → contact Ann
Do you ship to Peru? → do you deliver to Peru?
Hand in the essay → submit the essay
Fill out the form → complete the form
Put together the shelf → assemble the shelf
Sign up today → register today
Logging into the portal → login the portal
Sign out → logout
Turn on the lamp → enable the lamp
Switch off the lamp → disable the lamp
Turn the lamp on → enable the lamp
Switch the old lamp off → disable the old lamp
Set up an account → create an account
Free up space → free space
Take part in it → participate in it
It takes place here → It is here
A shop in the vicinity → A shop nearby
Throw away the box → discard the box
Call off the trip → cancel the trip
Put off the trip → postpone the trip
Pick up the box → collect the box
Give back the box → return the box
Carry out the plan → perform the plan
Look up the word → lookup the word
Make sure it works → ensure it works
Two times a day → twice a day
With the help of Ann → with Ann
Where are you right now? → Where are you ?
What type of moss? → What kind of moss?
Can I have Anna's number? → what is Anna's number?
Could I get the recipe for the soup? → what is the recipe for the soup?
Can I get my name in the credits? → Can I get my name in the credits?
I need to know the code of the door → what is the code of the door
Which bank in Rome is the oldest? → what is the oldest bank in Rome?
What is the way from the pier to the tower? → how to get from the pier to the tower?
What is the best way to the tower? → how to get to the tower?
Best way to bake bread → how to bake bread
What is the right way to bake bread? → how to bake bread?
What can I do to bake bread? → how to bake bread?
How should I bake bread? → how to bake bread?
How should I feel? → How should I feel?
How do I clean it using sand? → how to clean it with sand?
How can I tell whether it is ripe? → how to know if it is ripe?
How do you spell rhythm? → how to spell rhythm?
When is the best time of year to prune roses? → when to prune roses?
What is the ideal time to prune roses? → when to prune roses?
When should I prune roses? → when to prune roses?
What if I lose it? → what happens if I lose it?
Whom should I call about the leak? → who to call about the leak?
The alarm rings. What should I do? → what to do if the alarm rings?
My box arrived wet, what now? → what to do if my box arrived wet?
What should I do about moths? → what to do about moths?
I can't find the menu. Where is it? → where is the menu?
Who is allowed to vote? → who may vote?
Can I legally film it? → is it legal to film it?
Is parking in Rome expensive? → is it expensive to parking in Rome ?
Is smoking bad for you? → is it bad to smoking ?
Is drinking water safe? → Is drinking water safe?
What is meant by a haiku? → what is a haiku?
What is the cream called that Dr Ott prescribed? → what is the name of the cream that Dr Ott prescribed?
Frogs and toads, what is the difference? → what is the difference between Frogs and toads?
What is the cache used for? → what is the purpose of the cache?
What is NASA short for? → what does NASA mean?
What is the trouble with the pump? → what is wrong with the pump?
What books do we have? → what are our books?
What books do we have to read? → What books must we read?
How high is the monthly fee? → what is the monthly fee?
How much is the deposit box? → what is the price of the deposit box?
How much is a deposit? → what is the price of a deposit?
What did Anna pay for the van? → how much did Anna pay for the van?
What did Anna pay for? → What did Anna pay for?
How much does it cost to ship a bike? → what is the price of ship a bike?
How long does it take for paint to dry? → how long does paint take to dry?
How long is it till the feast? → how long until the feast?
How far is the moon from the earth? → what is the distance from the earth to the moon?
How many stops is it to the zoo? → how many stops to the zoo?
How much sugar is in cola? → how much sugar does cola have?
How much sugar does cola contain? → how much sugar does cola have?
Does the box contain any nuts? → Does the box have nuts?
Is lunch included in the tour? → does the tour include lunch?
What is today's weather like? → how is the weather today?
What will the weather be like tomorrow? → how is the weather tomorrow?
What will the weather be like? → What will the weather be like?
How will the weather be on Sunday? → how is the weather on Sunday?
What makes Anna so happy? → why Anna so happy?
When was the last time it rained? → when last it rained?
When did it last rain? → when last did it rain?
When did the last guest leave? → When did the last guest leave?
When did it last week rain? → When did it last week rain?
Are there nuts in this cake? → does this cake have nuts?
Dispose of the box → discard the box
A cash machine at the pier → A atm at the pier
Iterate over the map → loop over the map
Loop through the map → loop over the map
Another word for glad → a synonym for glad
It rained all night long → It rained the whole night
It is 5 euros per night → It is 5 euros a night
It is 5 euros per hour → It is 5 euros an hour
What is the capital city of Chile? → What is the capital of Chile?
`

t.test('a way to ask is read as the plain one', (t) => {
  for (const line of READINGS.trim().split('\n')) {
    const [asked = '', read = ''] = line.split(' → ')
    t.equal(inOneGo(withoutFrames(asked, ENGLISH_FRAMES)).replace(/\s+/g, ' '), read, asked)
  }
  t.end()
})
