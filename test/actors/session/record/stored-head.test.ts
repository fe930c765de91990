import t from 'tap'
import { initialHead } from '../../../../actors/session/record/head.js'
import {
  fromStoredHead,
  hasVectors,
  readDaySums,
  readSummary,
  readTies,
  toStoredHead
} from '../../../../actors/session/record/stored-head.js'
import { NO_TIES } from '../../../../actors/session/record/ties.js'
import type { SessionSettings } from '../../../../src/domain/session.js'
import { corpusOf, memoryEntry, NOON } from '../../../support/memories.js'

const VECTOR = Float32Array.of(1, 0)
const PLAIN: SessionSettings = {
  dimension: 2,
  modelName: 'model-1',
  useCortex: false,
  enableTopicSwitch: true,
  templateEmbedding: null,
  policyVectors: [],
  createdAt: NOON
}
const told = (settings: SessionSettings = PLAIN) => ({
  head: initialHead(settings),
  ties: NO_TIES,
  areVectorsApart: true,
  corpus: corpusOf(
    memoryEntry(1, 'stays'),
    memoryEntry(2, 'goes', { expiresAt: NOON + 20 }),
    memoryEntry(3, 'first', { expiresAt: NOON + 10 })
  ),
  expiring: { next: (): number | null => NOON + 10 },
  days: new Map(),
  packs: { list: [] }
})

t.test('a head tells how many memories there are and when the first of them expires', async (t) => {
  t.match(toStoredHead(told()), { memoryCount: 3, expiresNext: NOON + 10, days: [], ties: NO_TIES })
  t.equal(toStoredHead({ ...told(), expiring: { next: () => null } }).expiresNext, null)
})

t.test('a head is of the second format only where memories are packed, which an earlier version would not find', async (t) => {
  t.equal(toStoredHead(told()).session.format, 1)
  const packed = toStoredHead({ ...told(), packs: { list: [{ from: 1, to: 3 }] } })
  t.equal(packed.session.format, 2)
  t.equal(fromStoredHead(packed).format, 1, 'in memory there is but one')
})

t.test('vectors among the settings are no part of a stored head, unless an earlier version put them there', async (t) => {
  for (const vectors of [
    { templateEmbedding: VECTOR, policyVectors: [] },
    { templateEmbedding: null, policyVectors: [{ embedding: VECTOR, weight: 1, promote: true }] }
  ]) {
    const settings = { ...PLAIN, ...vectors }
    t.ok(hasVectors(settings))
    t.same(toStoredHead(told(settings)).session.settings, PLAIN)
    t.same(toStoredHead({ ...told(settings), areVectorsApart: false }).session.settings, settings)
  }
  t.notOk(hasVectors(PLAIN))
})

t.test(
  'a listing has a session’s model, memories and last use from its head; one that its owner keeps is used once something came in',
  async (t) => {
    const stored = toStoredHead(told())
    const summary = { modelName: 'model-1', totalMemories: 3, expiresNext: NOON + 10, lastActiveAt: NOON, isUsed: true }
    t.same(readSummary(stored), summary)
    const backing = { ...stored, ties: { ...NO_TIES, backing: 'cluster' } }
    t.same(readSummary(backing), { ...summary, isUsed: false })
    t.ok(readSummary({ ...backing, session: { ...stored.session, lastActiveAt: NOON + 1 } }).isUsed)
  }
)

t.test('a head of an earlier version has no calm turns, no ties and no days', async (t) => {
  const { calmTurns: _, ...session } = toStoredHead(told()).session
  t.equal(fromStoredHead({ session }).calmTurns, 0)
  t.same(readTies({ session }), NO_TIES)
  t.same(readDaySums({ session }), [])
})
