/** The shares of a block's budget, counted in words: the last thing that fits does, and one word more does not. */
import t from 'tap'
import { contextBlock, type ContextBlockInput } from '../../src/retrieval/context-block.js'
import type { ContextLine } from '../../src/retrieval/context-lines.js'

const countTokens = (text: string): number => text.match(/\S+/g)?.length ?? 0

/** One sentence of so many words. */
const words = (count: number): string => (count === 1 ? 'Word.' : `Word ${'word '.repeat(count - 2)}word.`)
const line = (text: string, more: Partial<ContextLine> = {}): ContextLine => ({ score: 0.9, text, question: null, memories: [], ...more })
const entity = (value: string) => ({
  ...({ key: 'k', kind: 'function', context: null, importance: 1, accessCount: 0, timestamp: 0 } as const),
  value
})

/** Lines of a block for which 50 words are left after the first line, of which the title of hits takes 2 and that of entities 1. */
function shown(own: Partial<ContextBlockInput>): string[] {
  const session = { phase: 'resonance', turn: 12, totalMemories: 18, budgetTokens: 61, countTokens, lines: [], entities: [] } as const
  return contextBlock({ ...session, ...own })
    .text.split('\n')
    .slice(2)
}
/** Number of words of each line behind its number and score. */
const lengths = (own: Partial<ContextBlockInput>): number[] => shown(own).map((one) => countTokens(one) - 2)

t.test('entities have two fifths where there are hits, and all where there is none', async (t) => {
  const lines = [line('a.')]
  t.equal(shown({ lines, entities: [entity(words(17))] }).length, 3)
  t.equal(shown({ lines, entities: [entity(words(18))] }).length, 1)
  t.equal(shown({ pinned: lines, entities: [entity(words(18))] }).length, 1)
  t.equal(shown({ entities: [entity(words(47))] }).length, 1)
  t.equal(shown({ entities: [entity(words(48))] }).length, 0)
})

t.test('pinned lines have half where there are hits, and all where there is none; the numbers go on', async (t) => {
  const lines = [line('b.')]
  t.same(lengths({ lines, pinned: [line(words(22))] }), [22, 1])
  t.same(lengths({ lines, pinned: [line(words(23))] }), [22, 1], 'cut')
  t.same(lengths({ pinned: [line(words(46))] }), [46])
  t.same(shown({ lines, pinned: [line('a.'), line('c.')] }), ['  1. [0.90] a.', '  2. [0.90] c.', '  3. [0.90] b.'])
})

t.test('one of several lines has half, and what it is cut to is made longer where room is left', async (t) => {
  t.same(lengths({ lines: [line(words(22)), line('b.')] }), [22, 1])
  t.same(lengths({ lines: [line(words(23)), line('b.')] }), [1], 'no sentence of it fits into half')
  t.same(lengths({ lines: [line(`${words(20)} ${words(5)} ${words(30)}`), line('b.')] }), [25, 1])
  t.same(lengths({ lines: [line(`${words(20)} ${words(23)}`), line('b.')] }), [43, 1], 'the last word of the room')
  t.same(lengths({ lines: [line(`${words(20)} ${words(24)}`), line('b.')] }), [20, 1])
})

t.test('after three lines in a row that do not fit no further one is tried', async (t) => {
  const shownOf = (sizes: readonly number[]) => lengths({ lines: sizes.map((size) => line(words(size))) })
  t.same(shownOf([15, 15, 15, 15, 1]), [15, 15, 1])
  t.same(shownOf([15, 15, 15, 15, 15, 1]), [15, 15])
  t.same(shownOf([15, 15, 15, 15, 1, 15, 15, 1]), [15, 15, 1, 1])
})

t.test('another half takes the room that the hits leave, to the last word, in whole sentences', async (t) => {
  const half = (question: string) => lengths({ lines: [line(words(10), { question }), line('b.')] })
  t.same(half(words(10)), [22, 1], 'with the marks of both halves')
  t.same(half(words(11)), [10, 1], 'more than half of the room')
  t.same(half(`${words(4)} ${words(7)}`), [16, 1])
  const last = (question: string) => lengths({ lines: [line(words(42), { question })] })
  t.same(last(words(2)), [46])
  t.same(last(words(3)), [42])
})
