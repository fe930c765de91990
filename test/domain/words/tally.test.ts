import t from 'tap'
import { createChance } from '../../../bench/costly-texts.js'
import { BLOCK_BITS, blocksOf, FIRST, giveTally, type Reach, takeTally, type Tally } from '../../../src/domain/words/tally.js'

const BLOCK = 1 << BLOCK_BITS
const REACH: Reach = [0.25, 0.5, 0.2, 0.1]
const WEIGHTS = { share: 3, saturation: 0.5, reach: REACH }

/** Counts by chance, in blocks of which some have none, and marks the blocks that they reach. */
function fill(tally: Tally, blocks: number, chance: (below: number) => number): void {
  for (let document = 0; document < blocks * BLOCK; document++) {
    if (document % (4 * BLOCK) < 2 * BLOCK || chance(3) > 0) continue
    const at = FIRST + document
    tally.counts[at] = 1 + chance(4)
    for (const reached of [at - 2, at + 2]) tally.marks[reached >> BLOCK_BITS] = 1
  }
}

/** What is to be added to the sum of a document. */
function scoreOf({ counts }: Tally, document: number): number {
  const at = FIRST + document
  const [secondBefore, before, after, secondAfter] = REACH
  const near = [
    [-2, secondBefore],
    [-1, before],
    [0, 1],
    [1, after],
    [2, secondAfter]
  ] as const
  const times = near.reduce((sum, [step, weight]) => sum + weight * (counts[at + step] as number), 0)
  return (3 * times * 1.5) / (times + 0.5)
}

t.test('marked blocks are added up with what their neighbours lend, in whatever ranges', async (t) => {
  const chance = createChance(7)
  const tally = takeTally(40)
  const wanted = new Array<number>(40 * BLOCK).fill(0)
  for (const ends of [[3, 4, 17, 40], [40]]) {
    fill(tally, 40, chance)
    for (const document of wanted.keys()) wanted[document] = (wanted[document] as number) + scoreOf(tally, document)
    let from = 0
    for (const to of ends) {
      tally.drain({ from, to }, WEIGHTS)
      from = to
    }
    tally.endWord(40)
    t.ok(wanted.every((score, document) => Math.abs(score - (tally.sums[document] as number)) < 1e-12))
  }
  t.ok(wanted.some((score) => score > 0))
  t.ok(wanted.includes(0))
})

t.test('places are counted with the lengths of their documents, at their numbers or where an order says', async (t) => {
  const tally = takeTally(4)
  const documents = [0, 1, 17, 40]
  for (const document of documents) tally.lengths[document] = 3 + document
  tally.order.fill(-1)
  for (const [document, place] of [
    [0, 63],
    [1, 20],
    [17, 2],
    [40, 16]
  ] as const)
    tally.order[document] = place
  for (const isOrdered of [false, true]) {
    tally.places.set(documents.map((document, at) => (document << 4) + 2 * at + 1))
    tally.count(documents.length - 1, isOrdered, { share: 0.5, least: 0.7, perLength: 0.06 })
    const wanted = new Float64Array(tally.counts.length)
    const marks = new Set<number>()
    for (const [at, document] of documents.slice(0, -1).entries()) {
      const place = isOrdered ? (tally.order[document] as number) : document
      wanted[FIRST + place] = (0.5 * (2 * at + 1)) / (0.7 + 0.06 * (3 + document))
      for (const reached of [place - 2, place + 2]) marks.add((FIRST + reached) >> BLOCK_BITS)
    }
    t.same(tally.counts, wanted)
    t.same(
      [...tally.marks.keys()].filter((block) => tally.marks[block] === 1),
      [...marks].sort((a, b) => a - b)
    )
    tally.drain({ from: 0, to: 4 }, WEIGHTS)
    tally.endWord(4)
    t.ok([...tally.counts, ...tally.marks].every((value) => value === 0))
  }
})

t.test('sums are scaled, and the greatest of each block is known', async (t) => {
  const tally = takeTally(8)
  tally.greatest.fill(9)
  for (let at = 0; at < tally.sums.length; at++) tally.sums[at] = (at * 37) % 101
  const places = 2 * BLOCK + 5
  const wanted = tally.sums.map((sum, at) => (at < places ? sum * 0.3 : at < 3 * BLOCK ? 0 : sum))
  tally.scale(places, 0.3)
  t.same(tally.sums, wanted)
  const greatest = [0, 1, 2].map((block) => Math.max(...wanted.subarray(block * BLOCK, (block + 1) * BLOCK)))
  t.same([...tally.greatest.subarray(0, 8)], [...greatest, 0, 0, 0, 0, 0])
})

t.test('a word is forgotten whole, and so are the sums of a search', async (t) => {
  const tally = takeTally(20)
  for (const blocks of [20, 9, 1]) {
    tally.counts.fill(1, FIRST, FIRST + blocks * BLOCK)
    tally.marks.fill(1, (FIRST >> BLOCK_BITS) - 1, (FIRST >> BLOCK_BITS) + blocks + 1)
    tally.drain({ from: 0, to: blocks }, WEIGHTS)
    tally.endWord(blocks)
    t.ok([...tally.counts, ...tally.marks].every((value) => value === 0))
  }
  giveTally(tally)
  t.equal(takeTally(20), tally, 'it is used again')
  t.ok(tally.sums.subarray(0, 20 * BLOCK).every((sum) => sum === 0))
})

t.test('a tally has room for what is asked for, and some more; four are kept', async (t) => {
  for (const [documents, blocks] of [
    [1, 1],
    [BLOCK, 1],
    [BLOCK + 1, 2]
  ] as const)
    t.equal(blocksOf(documents), blocks)
  const small = takeTally(8)
  giveTally(small)
  const large = takeTally(1_000)
  t.not(large, small)
  t.ok(large.blocks >= 1_000 && large.blocks <= 1_200, String(large.blocks))
  t.ok(large.sums.length >= 1_000 * BLOCK)
  const five = Array.from({ length: 5 }, () => takeTally(8))
  for (const tally of five) giveTally(tally)
  const again = new Set(Array.from({ length: 5 }, () => takeTally(8)))
  t.equal(five.filter((tally) => again.has(tally)).length, 4)
})
