import t from 'tap'
import { type Answered, hasNewerStatement, isNewer } from '../../../../actors/session/turn/newer-statement.js'
import { inOneGo } from '../../../../src/domain/pieces.js'
import type { Memory, MemoryEntry } from '../../../../src/domain/session.js'
import { memoryEntry, NOON } from '../../../support/memories.js'

const OPENING = { question: 'When does the shop open?', answer: 'The shop opens at nine.' }
const KEY = { question: 'Where is the spare one?', answer: 'The garden gate key hangs beside the front door.' }

/** Whether the memories make the answer stale, which was stored as the fifth memory. */
function isStale({ question, answer }: typeof OPENING, near: readonly MemoryEntry[], own: Partial<Answered> = {}): boolean {
  const known = memoryEntry(5, answer, { role: 'assistant', replyTo: ['m4'] })
  return inOneGo(hasNewerStatement({ question, answer: known, near: near.map((entry) => ({ entry, similarity: 1 })), now: NOON, ...own }))
}

const later = (text: string, own: Partial<Memory> = {}): MemoryEntry => memoryEntry(6, text, own)

t.test('newer: later, or of the same second and taken in later', async (t) => {
  const [first, second, tomorrow] = [memoryEntry(1, 'a'), memoryEntry(2, 'a'), memoryEntry(0, 'a', { timestamp: NOON + 86_400 })]
  t.ok(isNewer(second.memory, first.memory))
  t.notOk(isNewer(first.memory, second.memory))
  t.notOk(isNewer(first.memory, first.memory))
  t.ok(isNewer(tomorrow.memory, second.memory))
  t.notOk(isNewer(second.memory, tomorrow.memory))
})

t.test('a sentence with every word of the question and one that is new is a newer statement', async (t) => {
  t.ok(isStale(OPENING, [later('The shop opens at ten.')]))
  t.ok(isStale(OPENING, [later('It rains. The shop opens at ten. I am tired.')]), 'among others')
  t.ok(isStale(OPENING, [later('The bakery opens at ten.'), later('The shop opens at ten.')]), 'behind others')
  t.notOk(isStale(OPENING, [later('The bakery opens at ten.')]), 'another matter')
  t.notOk(isStale(OPENING, [later('It is a shop. What opens at ten?')]), 'the words of the question in two sentences')
  t.notOk(isStale(OPENING, [later('The shop opens at nine.')]), 'nothing new')
  t.notOk(isStale(OPENING, [later('Does the shop open at ten?')]), 'only asked')
  t.ok(isStale(OPENING, [later('The shop does not open at nine.')]), 'denied')
})

t.test('what is older, expired, of somebody whose words do not count, or leaves it open, states nothing', async (t) => {
  const text = 'The shop opens at ten.'
  t.notOk(isStale(OPENING, [memoryEntry(4, text)]), 'taken in before')
  t.notOk(isStale(OPENING, [later(text, { expiresAt: NOON - 1 })]))
  t.notOk(isStale(OPENING, [later(text, { userId: 'bob' })], { accept: ({ userId }) => userId !== 'bob' }))
  t.ok(isStale(OPENING, [later(text, { userId: 'ann' })], { accept: ({ userId }) => userId !== 'bob' }))
  t.notOk(isStale(OPENING, [later('I am not sure when the shop opens, sorry.')]))
})

t.test('a sentence with most of what the answer says, and something else beside, is a newer statement as well', async (t) => {
  t.ok(isStale(KEY, [later('The garden gate key hangs in the cellar.')]))
  t.notOk(isStale(KEY, [later('The garden gate key hangs in the cellar.', { replyTo: ['m2'] })]), 'unless it answers a question itself')
  t.notOk(isStale(KEY, [later('The garden needs water in the cellar.')]), 'one word is little')
  t.notOk(isStale(KEY, [later('The garden gate key hangs beside the front door with a red ribbon.')]), 'what has all of it adds to it')
  t.notOk(isStale(KEY, [later('The garden gate key.')]), 'what has nothing else repeats it')
  t.ok(
    isStale({ ...KEY, answer: `${KEY.answer} Mind the dog, the loose step and the wet paint there.` }, [later('The key hangs upstairs.')])
  )
})

t.test('a question without a word that says anything has no newer statement', async (t) => {
  t.notOk(isStale({ ...OPENING, question: 'And what about it?' }, [later('The shop opens at ten.')]))
})

t.test('the 64 nearest memories are looked through', async (t) => {
  const others = (count: number) => Array.from({ length: count }, (_, at) => memoryEntry(100 + at, `Bed ${String(at)} needs water.`))
  t.ok(isStale(OPENING, [...others(63), later('The shop opens at ten.')]))
  t.notOk(isStale(OPENING, [...others(64), later('The shop opens at ten.')]))
})

t.test('long statements are read a sentence at a time', async (t) => {
  const text = 'It rains in the north. '.repeat(100)
  const work = hasNewerStatement({
    question: OPENING.question,
    answer: memoryEntry(5, OPENING.answer, { role: 'assistant', replyTo: ['m4'] }),
    near: [{ entry: later(text), similarity: 1 }],
    now: NOON
  })
  let pauses = 0
  while (work.next().done !== true) pauses += 1
  t.equal(pauses, 100)
})
