/** English passives and the actives that they are read as: one text per line. */
import t from 'tap'
import { withActiveVoice } from '../../../src/domain/facts/english-voice.js'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

const READINGS = `
Why was the wall painted by Ann? → Why did Ann painted the wall?
Was she invited by him? → did he invited her?
When will the road be closed by the town? → When will the town closed the road?
Can it be signed by a notary → can a notary signed it
Are the trams funded by the town? → does the town funded the trams?
How many people were injured by the storm? → How many people did the storm injured?
What is eaten by pandas? → What does pandas eaten?
Which film may be shown by us? → Which film may we shown?
By whom was Faust written? → who did written Faust?
By which artist is this painted? → which artist does painted this?
Who was Faust written by? → Who did written Faust?
Faust was written by whom? → who did written Faust?
The bill was paid by my father. → my father did paid The bill.
They were seen by me → i did seen them
`

const UNCHANGED = `
Was the wall painted?
How is the table sorted by date?
Was the wall being painted by Ann?
Has the wall been painted by Ann?
Can the wall painted by Ann stay?
Was the wall, painted by Ann, sold?
Was it sent by post by Ann?
Which wall was once painted by Ann?
Is there a bus by the lake?
By bus we travelled far
By it was painted
painted by Ann
was painted by Ann
${'a '.repeat(100)}was painted by Ann
`

/** The same, with the active on the left. */
const ALIKE = `
Why did the judge dismiss the claim? = Why was the claim dismissed by the judge?
Did Noah invite Ella? = Was Ella invited by Noah?
Does the council fund the club? = Is the club funded by the council?
Must the landlord repair it? = Must it be repaired by the landlord?
Which company built the dam? = By which company was the dam built?
Who wrote Faust? = Who was Faust written by?
Ben paid the bill. = The bill was paid by Ben.
`

const OTHER = `
Did Noah invite Ella? = Was Noah invited by Ella?
Did Noah invite Ella? = Is Ella invited by Noah?
Did the dog bite the man? = Was the dog bitten by the man?
Who invited Ella? = Who was invited by Ella?
What did the fire destroy? = What destroyed the fire?
Can a notary sign it? = Must it be signed by a notary?
Was the bill paid by Friday? = Was the bill paid on Friday?
Was the letter sent by Ann? = Was the letter sent to Ann?
Did she invite him? = Was she invited by him?
`

function linesOf(text: string): string[] {
  return text.trim().split('\n')
}

t.test('a passive that says who does it is read as an active', async (t) => {
  for (const line of linesOf(READINGS)) {
    const [given = '', read] = line.split(' → ')
    t.equal(withActiveVoice(given).text, read, given)
  }
  t.equal(withActiveVoice('Was it Eaten by Ann?').participle, 'eaten')
})

t.test('other texts stay as they are', async (t) => {
  for (const line of linesOf(UNCHANGED)) t.same(withActiveVoice(line), { text: line, participle: null }, line)
})

t.test('active and passive are the same, unless who does it or when differs', async (t) => {
  for (const [set, isSame] of [
    [ALIKE, true],
    [OTHER, false]
  ] as const)
    for (const line of linesOf(set)) {
      const [first = '', second = ''] = line.split(' = ')
      t.equal(factsDiffer(first, second) === null, isSame, line)
      t.equal(factsDiffer(second, first) === null, isSame, line)
    }
})
