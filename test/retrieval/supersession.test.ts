import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../src/domain/pieces.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import type { Corpus } from '../../src/retrieval/corpus.js'
import { DENSE_WEIGHT_LEXICAL } from '../../src/retrieval/fuse.js'
import { retrieve } from '../../src/retrieval/pipeline.js'
import type { Hit, RetrievalQuery } from '../../src/retrieval/query.js'
import { createSupersession } from '../../src/retrieval/supersession.js'
import { corpusOf, DIMENSION, memoryEntry, NOON } from '../support/memories.js'

const DAY = 86_400

function search(corpus: Corpus, text: string, more: Partial<RetrievalQuery> = {}): readonly Hit[] {
  const vector = lexicalVector(text, DIMENSION)
  return inOneGo(retrieve(corpus, { text, vector, now: NOON, limit: 10, denseWeight: DENSE_WEIGHT_LEXICAL, monotonicMs: () => 0, ...more }))
    .hits
}

const at = (days: number) => ({ timestamp: NOON - days * DAY })

t.test('of two facts on one matter the newer comes first, both are shown, and the older says what superseded it', async (t) => {
  const newer = memoryEntry(2, 'The invoices are approved by Sofia from now on', at(400))
  const older = memoryEntry(1, 'The invoices are approved by Karim', at(430))
  const hits = search(corpusOf(older, newer, memoryEntry(3, 'Karim likes tea', at(3))), 'Who approved the invoices?')
  t.same(
    hits.slice(0, 2).map(({ entry, supersededBy }) => [entry.memory.id, supersededBy]),
    [
      ['m2', null],
      ['m1', newer.memory.hash]
    ]
  )
  t.ok((hits[0]?.components.supersession ?? 0) >= 1)
})

t.test('a title belongs to the person who is the value, not to the matter', async (t) => {
  const older = memoryEntry(1, 'My landlord is Mrs Winter.', at(30))
  const newer = memoryEntry(2, 'The house was sold, my landlord is Mr Osei.', at(1))
  t.equal(search(corpusOf(older, newer), 'Who is my landlord?')[0]?.entry.memory.id, 'm2')
})

t.test('of texts that say the same the one that is newer by rank comes first, however old both are', async (t) => {
  for (const days of [1, 60, 5_000]) {
    const corpus = corpusOf(memoryEntry(2, 'red house in Oslo', at(days)), memoryEntry(1, 'red house in Rome', at(days + 30)))
    t.equal(search(corpus, 'red house')[0]?.entry.memory.id, 'm2', `${days} days`)
  }
})

t.test('a text supersedes nothing when it is by somebody else, on another matter, or adds to another', async (t) => {
  const older = memoryEntry(1, 'The invoices are approved by Karim', at(30))
  const others = [
    memoryEntry(2, 'The invoices are approved by Sofia', { ...at(1), userId: 'ada' }),
    memoryEntry(2, 'The invoices are approved by Sofia', { ...at(1), role: 'assistant' }),
    memoryEntry(2, 'The invoices of the roofer came', at(1)),
    memoryEntry(2, 'The invoices are approved by Karim in Graz', at(1))
  ]
  for (const other of others) {
    const hits = search(corpusOf(older, other), 'Who approved the invoices?')
    t.same(
      hits.map(({ supersededBy }) => supersededBy),
      [null, null],
      other.memory.text
    )
  }
})

const asking = (...words: readonly string[]): ReadonlySet<string> => new Set(words)

/** Whether the newer text supersedes the older one; the words of both are separated by spaces. */
function isSuperseded(newer: string, older: string, { asked = asking(), times = [2, 1] as readonly [number, number] } = {}): boolean {
  const [a, b] = [memoryEntry(2, newer, { timestamp: times[0] }), memoryEntry(1, older, { timestamp: times[1] })]
  const told = [a, b].map((entry) => ({ entry, wording: { questionShare: 0, speaker: null, change: null } }))
  const query = { text: null, terms: asked, words: new Set<string>() }
  const supersedes = createSupersession(told, { termsOf: ({ memory }) => memory.text.split(' '), asked: query, isNext: () => false })
  return supersedes(0, 1) !== null
}

t.test(
  'a text supersedes another from two shared words on that are half of the shorter one, and with something new on both sides',
  async (t) => {
    t.ok(isSuperseded('a b x', 'a b y'))
    t.ok(isSuperseded('a b x y', 'a b v w'), 'half of both')
    t.ok(isSuperseded('a b x y', 'a b q r s t u v'), 'half of the shorter one')
    t.notOk(isSuperseded('a b x y z', 'a b u v w'), 'less than half')
    t.notOk(isSuperseded('a x', 'a y'), 'one word alone')
    t.notOk(isSuperseded('a b', 'a b y'), 'nothing new in the newer one')
    t.notOk(isSuperseded('a b x', 'a b'), 'nothing else in the older one')
    t.notOk(isSuperseded('a b x', 'a b y', { times: [1, 1] }), 'at the same time')
    t.notOk(isSuperseded('a b x', 'a b y', { times: [1, 2] }))
  }
)

t.test('one word that names the matter is enough where it is asked for', async (t) => {
  t.ok(isSuperseded('new boss bob', 'boss ann', { asked: asking('boss') }))
  t.notOk(isSuperseded('new boss bob', 'boss ann', { asked: asking('ann') }), 'another word is asked for')
  t.notOk(isSuperseded('boss bob likes tea', 'boss ann plays chess', { asked: asking('boss') }), 'less than half')
})

t.test('a verb of a state names no matter, though it is asked for', async (t) => {
  t.notOk(isSuperseded('drive work', 'work harlow', { asked: asking('work') }))
})

t.test('numbers are what is said of a matter, not the matter', async (t) => {
  t.ok(isSuperseded('phone 085 991', 'phone 087 555 12', { asked: asking('phone') }), 'they make no text longer')
  t.notOk(isSuperseded('12:03 12 03 anna tea', '12:03 12 03 bert rain'), 'nor do texts share a matter by them')
  t.notOk(isSuperseded('phone', 'phone 087', { asked: asking('phone') }), 'though they are something new')
})

t.test('no title names a matter', async (t) => {
  for (const title of 'mr mrs ms dr prof herr'.split(' ')) t.notOk(isSuperseded(`x ${title} anna tea`, `x ${title} bert rain`), title)
  t.ok(isSuperseded('x lord anna tea', 'x lord bert rain'))
})

t.test('what is asked for and stands in the older text alone tells the two apart', async (t) => {
  t.ok(isSuperseded('table 7 reserved jones', 'table 5 reserved smith', { asked: asking('table', 'reserved') }))
  t.notOk(isSuperseded('table 7 reserved jones', 'table 5 reserved smith', { asked: asking('table', '5') }))
  t.ok(isSuperseded('table 7 reserved jones', 'table 5 reserved smith', { asked: asking('table', '7') }), 'in the newer one alone')
  t.notOk(isSuperseded('south gate opens 8', 'north gate opens 7', { asked: asking('north', 'gate', 'opens') }))
})

t.test('of two things of a kind that one which is asked for comes first, however old it is', async (t) => {
  const older = memoryEntry(1, 'Ticket 101 is assigned to Ann', at(30))
  const newer = memoryEntry(2, 'Ticket 102 is assigned to Bob', at(2))
  const leading = (text: string) => search(corpusOf(older, newer), text)[0]?.entry.memory.id
  t.equal(leading('Who is ticket 101 assigned to?'), 'm1')
  t.equal(leading('Who is ticket 102 assigned to?'), 'm2')
  t.equal(leading('Who is the ticket assigned to?'), 'm2')
})

t.test('the parts of a score give the score, whatever was asked of whatever is held', async (t) => {
  const words = fc.array(fc.constantFrom('red', 'house', 'Oslo', 'Ann:', 'is', 'new', 'where', 'the?', 'invoice', '42', 'tea'), {
    maxLength: 8
  })
  const text = words.map((parts) => parts.join(' ') || '-')
  const memory = fc.record({ text, days: fc.integer({ min: 0, max: 900 }), importance: fc.double({ min: 0, max: 3, noNaN: true }) })
  let seen = 0
  fc.assert(
    fc.property(fc.array(memory, { minLength: 1, maxLength: 14 }), text, fc.boolean(), (memories, asked, isAnchored) => {
      const corpus = corpusOf(
        ...memories.map(({ text, days, importance }, n) => memoryEntry(n + 1, text, at(days), { importance, segment: n % 3 }))
      )
      const vector = lexicalVector('red house', DIMENSION)
      const more = isAnchored ? { anchors: [vector], policyVectors: [{ embedding: vector, weight: 1, promote: true }], segments: [] } : {}
      return search(corpus, asked, more).every(({ score, components }) => {
        seen += 1
        const { dense, ground, blend, lexical, fused, ...factors } = components
        const product = Object.values(factors).reduce((value, factor) => value * factor, fused)
        const mean = blend * Math.max(0, (dense - ground) / (1 - ground)) + (1 - blend) * lexical
        return Math.abs(fused - mean) < 1e-9 && Math.abs(score - Math.min(1, product)) < 1e-9
      })
    })
  )
  t.ok(seen > 100, 'scores were looked at')
})
