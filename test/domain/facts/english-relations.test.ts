/** What is often asked of persons, places and things: one question and its reading per line. */
import t from 'tap'
import { ENGLISH_RELATIONS } from '../../../src/domain/facts/english-relations.js'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { withoutFrames } from '../../../src/domain/facts/frames.js'
import { inOneGo } from '../../../src/domain/pieces.js'

const READINGS = `
What is the birthplace of Ann Lee? → where was Ann Lee born?
What was Ann's place of birth? → where was Ann born?
What is the date of birth of Ann? → when was Ann born?
What was Ann's birth date? → when was Ann born?
What is the date of Ann's death? → when did Ann die?
What was the date of death of Ann? → when did Ann die?
I am called Ann → my name is Ann
How old am I? → what is my age?
What is the name of my new dentist? → who is my new dentist?
What was the name of the mayor of Bonn? → who was the mayor of Bonn?
What is the name of my street? → What is the name of my street?
What is the Finnish word for owl? → how to say owl in Finnish?
What are the Dutch words for the days? → how to say the days in Dutch?
What is owl called in Finnish? → how to say owl in Finnish?
What is rent in Bonn? → What is rent in Bonn?
What does the acronym HEPA mean? → what does HEPA mean?
What does the term limit? → What does the term limit?
Which author wrote Emma? → who wrote Emma?
Which scientist discovered radium? → who discovered radium?
Which author won? → Which author won?
Which city is the capital of Peru? → what is the capital of Peru?
Which city is Peru's capital? → what is Peru's capital?
Which city is the largest? → Which city is the largest?
What currency is used in Peru? → what is the currency of Peru?
Which currency does Peru have? → what is the currency of Peru?
At what temperature does wax melt? → what is the melting point of wax?
Which temperature does water boil? → what is the boiling point of water?
What is the end date of the fair? → when is the end of the fair?
What is the flight time from Bonn to Rome? → how long is the flight from Bonn to Rome?
My son is 7 years old → My son is 7
What do people use talc for? → what is the purpose of talc?
How do people make tofu? → how is tofu made?
Has the hotel got a pool? → does the hotel have a pool?
Have the rooms got a bath? → do the rooms have a bath?
Which is healthier, tea or coffee? → is tea or coffee healthier?
What is better for babies, tea or milk? → is tea or milk better for babies?
`

const OTHER = `
When was Ann born? = What is Ann's birthplace?
When was Ann born? = What is Ann's birthday?
What is the name of my street? = Who is my street?
How do you say owl in Finnish? = What is the Danish word for owl?
What is the melting point of wax? = At what temperature does wax boil?
Who wrote Emma? = Which author won?
What is the end date of the fair? = When is the start of the fair?
Is tea or coffee healthier? = Which is cheaper, tea or coffee?
Can I smoke in the room? = Is drinking allowed in the room?
`

t.test('a question is read as the plain one', async (t) => {
  for (const line of READINGS.trim().split('\n')) {
    const [asked = '', read = ''] = line.split(' → ')
    t.equal(inOneGo(withoutFrames(asked, ENGLISH_RELATIONS)).replace(/\s+/g, ' '), read, asked)
  }
})

t.test('another relation is another question', async (t) => {
  for (const line of OTHER.trim().split('\n')) {
    const [first = '', second = ''] = line.split(' = ')
    t.not(factsDiffer(first, second), null, line)
    t.not(factsDiffer(second, first), null, line)
  }
})
