/** Unpacking returns what was packed. */
import fc from 'fast-check'
import t from 'tap'
import { fromPacked, toPacked, type WordedEntry } from '../../../../actors/session/record/packed-memories.js'
import { WEIGHTLESS } from '../../../../src/domain/fairness/weight.js'
import { decodeBody, encodeBody } from '../../../../src/storage/record-codec.js'
import { anyCharacter } from '../../../support/any-text.js'

const DIMENSION = 3

const word = fc.stringMatching(/^[a-zäß中]{1,5}$/)
const words = fc.uniqueArray(word, { maxLength: 5 }).chain((terms) =>
  fc.record({
    terms: fc.constant(terms),
    counts: fc.array(fc.integer({ min: 1, max: 2 ** 31 }), { minLength: terms.length, maxLength: terms.length }),
    length: fc.nat()
  })
)
const time = fc.double({ noNaN: true, min: 0, max: 1e11 })
const memory = (seq: number) =>
  fc.integer({ min: 1, max: 3 }).chain((parts) =>
    fc.record(
      {
        id: fc.uuid(),
        seq: fc.constant(seq),
        hash: fc.stringMatching(/^[0-9a-f]{32}$/),
        text: fc.string({ unit: anyCharacter }),
        role: fc.constantFrom('user' as const, 'assistant' as const, 'synthetic' as const),
        userId: fc.option(fc.string()),
        timestamp: time,
        turn: fc.nat(),
        replyTo: fc.array(fc.uuid(), { maxLength: 2 }),
        baseTier: fc.constantFrom('short_term' as const, 'medium_term' as const, 'long_term' as const),
        expiresAt: fc.option(time),
        partEnds: fc.array(fc.nat(), { minLength: parts, maxLength: parts }),
        vectors: fc.float32Array({ minLength: parts * DIMENSION, maxLength: parts * DIMENSION }),
        isPending: fc.constant(true as const)
      },
      {
        requiredKeys: [
          'id',
          'seq',
          'hash',
          'text',
          'role',
          'userId',
          'timestamp',
          'turn',
          'replyTo',
          'baseTier',
          'expiresAt',
          'partEnds',
          'vectors'
        ]
      }
    )
  )
const stats = fc.record(
  {
    importance: time,
    accessCount: fc.maxSafeNat(),
    accessedAt: time,
    isProtected: fc.boolean(),
    segment: fc.nat(),
    isPinned: fc.constant(true as const),
    share: fc.double({ noNaN: true, min: 0, max: 1 })
  },
  { requiredKeys: ['importance', 'accessCount', 'accessedAt', 'isProtected', 'segment'] }
)
const entries = fc
  .integer({ min: 1, max: 6 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => fc.record({ memory: memory(at + 1), stats, words }))))

t.test('memories that were packed and stored come back as they were, with their words', async (t) => {
  fc.assert(
    fc.property(entries, (all) => {
      const stored = decodeBody(encodeBody(toPacked(all, WEIGHTLESS))) as ReturnType<typeof toPacked>
      t.strictSame(JSON.stringify([...fromPacked(stored)]), JSON.stringify(all.map(plain)))
    }),
    { numRuns: 40 }
  )
})

/** The entry with its fields in the order of unpacked ones. */
function plain({ memory, stats, words }: WordedEntry): WordedEntry {
  const { isPending, ...rest } = memory
  return { memory: isPending === undefined ? rest : { ...rest, isPending }, stats: inOrder(stats), words }
}

function inOrder({ isPinned, share, ...rest }: WordedEntry['stats']): WordedEntry['stats'] {
  return { ...rest, ...(isPinned && { isPinned }), ...(share !== undefined && { share }) }
}

t.test('memories whose words another version packed are read again', async (t) => {
  const [entry] = fc.sample(fc.record({ memory: memory(1), stats, words }), 1) as WordedEntry[]
  if (entry === undefined) throw new Error('there is none')
  const pack = toPacked([entry], WEIGHTLESS)
  t.same([...fromPacked({ ...pack, words: { ...pack.words, version: 0 } })][0]?.words, null)
})

t.test('a pack lists what a memory answers only where it answers something', async (t) => {
  const [entry] = fc.sample(fc.record({ memory: memory(1), stats, words }), 1) as WordedEntry[]
  if (entry === undefined) throw new Error('there is none')
  const answering = (replyTo: readonly string[]): WordedEntry => ({ ...entry, memory: { ...entry.memory, replyTo } })
  t.same(toPacked([answering([]), answering(['q']), answering([])], WEIGHTLESS).replies, [{ at: 1, to: ['q'] }])
})

t.test('memories of a pack whose stats are equal share them, and no others do', async (t) => {
  const [entry] = fc.sample(fc.record({ memory: memory(1), stats, words }), 1) as WordedEntry[]
  if (entry === undefined) throw new Error('there is none')
  const usual = { importance: 0.5, accessCount: 0, accessedAt: 1.5, isProtected: false, segment: 1 }
  const different: WordedEntry['stats'][] = [
    usual,
    { ...usual, importance: 0.25 },
    { ...usual, accessCount: 1 },
    { ...usual, accessedAt: 2.5 },
    { ...usual, isProtected: true },
    { ...usual, segment: 2 },
    { ...usual, isPinned: true },
    { ...usual, share: 0 },
    { ...usual, isPinned: true, share: 0 }
  ]
  const unpacked = [
    ...fromPacked(
      toPacked(
        [...different, ...different].map((own) => ({ ...entry, stats: own })),
        WEIGHTLESS
      )
    )
  ]
  t.same(
    unpacked.map(({ stats: own }) => own),
    [...different, ...different]
  )
  t.equal(new Set(unpacked.map(({ stats: own }) => own)).size, different.length)
})
