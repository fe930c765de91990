/** Triggers, anchors and isolation. */
import t from 'tap'
import { stateVector } from '../../../../actors/session/semantic-state/folds.js'
import { ANCHORS_MAX, HELD_INPUTS_MAX, REALIGNMENT_TURNS } from '../../../../src/domain/limits.js'
import { similarity } from '../../../../src/domain/similarity/vector.js'
import type { IsolationLevel } from '../../../../src/domain/session.js'
import { createSessionRig, embeddingOf, type RigSession } from '../../../support/session-rig.js'

const COOKING = 'Recipes for soup, bread and vegetables from my kitchen'
const ON_DOMAIN = 'Which vegetables belong into the soup from my kitchen recipes with bread'
const OFF_DOMAIN = 'The parliament voted on railway tariffs'

function isolated(session: RigSession, level: IsolationLevel, own: { exclude?: string[]; allow?: string[]; threshold?: number } = {}) {
  return session.ask({
    type: 'isolation.set',
    level,
    exclusionEmbeddings: (own.exclude ?? []).map((text) => embeddingOf(text)),
    allowlistEmbeddings: (own.allow ?? []).map((text) => embeddingOf(text)),
    similarityThreshold: own.threshold ?? 0.4
  })
}

t.test('a turn on which a trigger fires is important, its answer too, and both are protected', async (t) => {
  const session = await createSessionRig().create()
  await session.ask({ type: 'trigger.set', keyword: 'Maß', threshold: 0.75 })
  await session.run('An ordinary remark')
  await session.run('Das volle MASS ist erreicht')
  await session.store('Understood.')
  await session.run('Another ordinary remark, about nothing')
  const [plain, fired, answer, after] = await session.list()
  t.ok((plain?.importance ?? 1) < 1 && (after?.importance ?? 1) < 1)
  t.ok((fired?.importance ?? 0) >= 1 && (answer?.importance ?? 0) >= 1)
  const isProtected = (id = '') => session.state.corpus.get(id)?.stats.isProtected
  t.same(
    [plain, fired, answer, after].map((memory) => isProtected(memory?.memoryId)),
    [false, true, true, false]
  )
  const [trigger] = session.state.triggers.values()
  t.match(trigger, { firedCount: 1, firedTurn: 2 })
  t.match((await session.metrics()).triggers, [{ keyword: 'Maß', firedCount: 1, lastFiredTurn: 2 }], 'and the metrics say which one fired')
})

t.test('an embedding trigger fires on what is near enough', async (t) => {
  const session = await createSessionRig().create()
  await session.ask({ type: 'trigger.set', embedding: embeddingOf(COOKING), threshold: 0.4 })
  await session.run(OFF_DOMAIN)
  await session.run(ON_DOMAIN)
  t.same(
    (await session.list()).map(({ importance }) => importance >= 1),
    [false, true]
  )
})

t.test('a keyword set again in another case replaces the trigger; clearing leaves none', async (t) => {
  const session = await createSessionRig().create()
  t.equal((await session.ask({ type: 'trigger.set', keyword: 'Straße', threshold: 0.75 })).triggerCount, 1)
  t.equal((await session.ask({ type: 'trigger.set', keyword: 'STRASSE', threshold: 0.75 })).triggerCount, 1)
  t.equal((await session.ask({ type: 'trigger.set', keyword: 'other', threshold: 0.75 })).triggerCount, 2)
  t.equal(await session.refusal({ type: 'trigger.set', keyword: ' \n ', threshold: 0.75 }), 'invalid_input')
  t.equal((await session.ask({ type: 'trigger.clear' })).triggerCount, 0)
  t.equal((await session.restored()).triggers.size, 0)
})

t.test('a session that leaves its anchors is pulled back for some turns', async (t) => {
  const session = await createSessionRig().create()
  await session.ask({ type: 'anchor.set', text: COOKING })
  const score = () => session.ask({ type: 'anchor.score' })
  await session.run(OFF_DOMAIN)
  t.ok(((await score()).anchorScore ?? 0) > 0, 'the pull shows in the score')
  t.equal((await score()).realignmentRemaining, REALIGNMENT_TURNS)
  const remaining: number[] = []
  for (let turn = 0; turn < REALIGNMENT_TURNS; turn++) {
    await session.run(`${OFF_DOMAIN} in session ${String(turn)}`)
    remaining.push((await score()).realignmentRemaining)
  }
  t.same(remaining, [3, 2, 1, 0])
  const [anchor] = session.state.anchors.values()
  const pull = (realignmentRemaining: number) => {
    session.state.head = { ...session.state.head, realignmentRemaining }
    const vector = stateVector(session.state)
    return vector === null || anchor === undefined ? 0 : similarity(vector, anchor.embedding)
  }
  const pulls = [0, 1, 2, 3, 4].map(pull)
  t.same(
    pulls,
    [...pulls].sort((a, b) => a - b)
  )
  t.ok((pulls[4] ?? 0) > 0.6)
})

t.test('a session on its anchors is left alone', async (t) => {
  const session = await createSessionRig().create()
  t.equal((await session.ask({ type: 'anchor.score' })).anchorScore, null)
  await session.ask({ type: 'anchor.set', text: COOKING })
  await session.run(COOKING)
  const { anchorScore, realignmentRemaining } = await session.ask({ type: 'anchor.score' })
  t.ok((anchorScore ?? 0) > 0.99)
  t.equal(realignmentRemaining, 0)
})

t.test('each level does with an input what the interface says', async (t) => {
  const table: [IsolationLevel, string, string][] = [
    ['OPEN', 'passed', 'passed'],
    ['FILTER', 'passed', 'down_weighted'],
    ['QUARANTINE', 'passed', 'quarantined'],
    ['LOCKDOWN', 'passed', 'blocked']
  ]
  for (const [level, on, off] of table) {
    for (const domain of ['anchor', 'allowlist'] as const) {
      const session = await createSessionRig().create()
      if (domain === 'anchor') await session.ask({ type: 'anchor.set', text: COOKING })
      await isolated(session, level, domain === 'allowlist' ? { allow: [COOKING] } : {})
      t.match((await session.run(ON_DOMAIN)).isolation, { level, action: on }, `${level}, ${domain}, on`)
      t.match((await session.run(OFF_DOMAIN)).isolation, { level, action: off }, `${level}, ${domain}, off`)
    }
  }
})

t.test('an exclusion outweighs the anchors; without any domain only LOCKDOWN stops an input', async (t) => {
  for (const [level, action] of [
    ['FILTER', 'down_weighted'],
    ['QUARANTINE', 'quarantined'],
    ['LOCKDOWN', 'blocked']
  ] as const) {
    const session = await createSessionRig().create()
    await session.ask({ type: 'anchor.set', text: COOKING })
    await isolated(session, level, { exclude: [ON_DOMAIN] })
    t.equal((await session.run(ON_DOMAIN)).isolation.action, action)
    const bare = await createSessionRig().create()
    await isolated(bare, level)
    t.match((await bare.run(OFF_DOMAIN)).isolation, { action: level === 'LOCKDOWN' ? 'blocked' : 'passed', similarity: null })
  }
})

t.test('a filtered input counts less in its importance and in the state', async (t) => {
  const weigh = async (level: IsolationLevel) => {
    const session = await createSessionRig().create()
    await session.run(COOKING)
    await isolated(session, level, { allow: [COOKING] })
    await session.run(OFF_DOMAIN)
    const [, stored] = await session.list()
    const vector = stateVector(session.state)
    return {
      importance: stored?.importance ?? 0,
      pull: vector === null ? 0 : similarity(vector, Float32Array.from(embeddingOf(OFF_DOMAIN)))
    }
  }
  const [open, filtered] = [await weigh('OPEN'), await weigh('FILTER')]
  t.ok(filtered.importance < open.importance / 2)
  t.ok(filtered.pull < open.pull / 2)
  t.ok(filtered.importance > 0)
})

t.test('a quarantined input changes nothing but the hold list and is let in by a release, in order', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  await session.ask({ type: 'anchor.set', text: COOKING })
  await session.run(ON_DOMAIN)
  await isolated(session, 'QUARANTINE')
  const before = {
    metrics: await session.metrics(),
    folds: session.state.head.folds,
    list: await session.list(),
    open: session.state.head.openQuestionId
  }
  const held = [OFF_DOMAIN, 'Ferries leave for the islands at noon', 'A comet was seen over Norway']
  for (const text of held) {
    rig.advance(1)
    const reply = await session.run(text, { userId: 'ann' })
    t.match(reply, { context: '', isolation: { action: 'quarantined' }, driftDetected: false, turn: 1, retrievalError: false })
  }
  const after = await session.metrics()
  t.same({ ...after, isolation: null, lastActiveAt: 0 }, { ...before.metrics, isolation: null, lastActiveAt: 0 })
  t.equal(after.isolation.quarantinedCount, 3)
  t.equal(session.state.head.folds, before.folds)
  t.same(await session.list(), before.list)
  t.equal((await session.restored()).held.size, 3)
  t.same(await session.ask({ type: 'isolation.release' }), { releasedCount: 3, level: 'QUARANTINE' })
  t.same(
    (await session.list()).slice(1).map(({ text, userId }) => [text, userId]),
    held.map((text) => [text, 'ann'])
  )
  t.same(
    (await session.list()).slice(1).map(({ timestamp }) => timestamp),
    [1, 2, 3].map((at) => rig.now - 3 + at)
  )
  t.equal((await session.metrics()).isolation.quarantinedCount, 0)
  t.equal(session.state.head.openQuestionId, before.open, 'the message that waits for its answer still does')
  t.same(await session.ask({ type: 'isolation.release' }), { releasedCount: 0, level: 'QUARANTINE' })
})

t.test('a full hold list blocks and drops nothing', async (t) => {
  const session = await createSessionRig().create()
  await session.ask({ type: 'anchor.set', text: COOKING })
  await isolated(session, 'QUARANTINE')
  for (let at = 0; at < HELD_INPUTS_MAX; at++) await session.run(`${OFF_DOMAIN} ${String(at)}`)
  t.equal((await session.run(OFF_DOMAIN)).isolation.action, 'blocked')
  t.equal(session.state.held.size, HELD_INPUTS_MAX)
})

t.test('a release that would not fit changes nothing at all', async (t) => {
  const session = await createSessionRig({ memoriesMax: 2 }).create()
  await session.ask({ type: 'anchor.set', text: COOKING })
  await session.run(ON_DOMAIN)
  await isolated(session, 'QUARANTINE')
  await session.run(OFF_DOMAIN)
  await session.run('A comet was seen over Norway')
  const before = session.exported()
  t.equal(await session.refusal({ type: 'isolation.release' }), 'memory_full')
  t.equal(session.exported(), before)
})

t.test('held inputs are kept at any later level and through a reset', async (t) => {
  const session = await createSessionRig().create()
  await session.ask({ type: 'anchor.set', text: COOKING })
  await isolated(session, 'QUARANTINE')
  await session.run(OFF_DOMAIN)
  t.equal((await isolated(session, 'OPEN')).quarantinedCount, 1)
  await session.run('Start again', { resetContext: true })
  t.equal((await session.restored()).held.size, 1)
  t.equal((await session.ask({ type: 'isolation.release' })).releasedCount, 1)
})

t.test('a session has as many anchors as it may have, and not one more', async (t) => {
  const session = await createSessionRig().create()
  const embedding = embeddingOf(COOKING)
  for (let count = 1; count <= ANCHORS_MAX; count++) t.equal((await session.ask({ type: 'anchor.set', embedding })).anchorCount, count)
  t.equal(await session.refusal({ type: 'anchor.set', embedding }), 'limit_reached')
  t.equal((await session.metrics()).anchorCount, ANCHORS_MAX)
})
