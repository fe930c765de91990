/** What stands around an English question, and what is left of it: one question per line. */
import t from 'tap'
import { ENGLISH_COURTESY } from '../../../src/domain/facts/english-courtesy.js'
import { withoutFrames } from '../../../src/domain/facts/frames.js'
import { inOneGo } from '../../../src/domain/pieces.js'

const READINGS = `
Whats the code? → What is the code?
whos Anna → who is Anna
Whose is it? → Whose is it?
Thats theirs → That is theirs
Dont they sing? → Do not they sing?
It wasnt me → It was not me
My phone wont charge, I cant call → My phone will not charge, I can not call
im late → i am late
Do u know it? → Do you know it?
Which plan is plan u? → Which plan is plan u?
pls tell me where the key is thx → where the key is
hey, do u know when it opens? → when it opens?
Sorry to bother you again, but where is the key? → where is the key?
Just to be sure, is it the 14th? → is it the 14th?
Just to be sure is it? → Just to be sure is it?
Hello, I have a quick question. Can I rebook? → Can I rebook?
Good morning! By the way, who sings? → who sings?
I forgot again: what is her name? → what is her name?
I have forgotten who sings → who sings
I forgot, is it Monday? → is it Monday?
I can't remember any more which bus it is → which bus it is
I'm not sure any more, which bus is it? → which bus is it?
I'd be interested in how it works → how it works
What was the name of the lake again? → what was the name of the lake?
What happened again? → What happened again?
In Norway, how much is the toll? → how much is the toll in Norway?
If I lose my card, whom do I call? → whom do I call if I lose my card?
To get a permit, which form do I need? → which form do I need to get a permit?
If it rains, then what do we do? → what do we do if it rains?
In which case, may I ask, is it free? → In which case, may I ask, is it free?
When does it start, can I bring a friend? → When does it start, can I bring a friend?
If it rains, we stay. → If it rains, we stay.
`

t.test('a question is read without what stands around it', async (t) => {
  for (const line of READINGS.trim().split('\n')) {
    const [asked = '', read = ''] = line.split(' → ')
    t.equal(inOneGo(withoutFrames(asked, ENGLISH_COURTESY)).replace(/\s+/g, ' '), read, asked)
  }
})
