/** While the embedder is unavailable, texts are stored without vectors; once it is back, the session becomes what it would have been. */
import fc from 'fast-check'
import t from 'tap'
import { createPendings } from '../../../actors/session/reminders/pendings.js'
import { stateVector } from '../../../actors/session/semantic-state/folds.js'
import type { SessionCommand } from '../../../src/domain/commands/session-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { createSessionRig, differenceOf, embeddingOf, type RigSession } from '../../support/session-rig.js'

const QUESTION = 'How do I reset the admin password of the billing portal?'
const ANSWER = 'Open the settings page of the portal and choose reset under accounts.'
const TALK = [
  'which soil suits the roses?',
  'water the tulips and roses',
  'the server runs out of memory',
  'restart the server on Friday',
  'my flight to Lisbon leaves at noon',
  'which hotel in Lisbon is quiet?'
]

function createRig() {
  const rig = createSessionRig({ isTraced: true })
  const embed = rig.embedder.embed.bind(rig.embedder)
  return {
    ...rig,
    fail(error: Error = new DomainError('embedder_unavailable', 'The embedding service answered 500')) {
      rig.embedder.embed = () => Promise.reject(error)
    },
    mend() {
      rig.embedder.embed = embed
    },
    reminders: () => rig.behaviour.reminders?.(rig.now) ?? []
  }
}

const embedPending = (session: RigSession) => session.ask({ type: 'session.embed' })

t.test('a turn without its vector succeeds, is stored, and says nothing of what it could not know', async (t) => {
  const rig = createRig()
  const session = await rig.create()
  for (const text of TALK.slice(0, 4)) await session.run(text)
  const before = await session.metrics()
  rig.fail()
  const reply = await session.run('An outage begins, and this is about something else', { response: 'And so is this answer' })
  t.match(reply, {
    retrievalError: true,
    context: '',
    topSimilarity: 0,
    shortCircuit: false,
    driftScore: 0,
    driftDetected: false,
    driftPhase: before.driftPhase,
    phase: before.phase,
    dedupSignal: { isUpdate: false, matchedId: null },
    turn: 5,
    isolation: { action: 'passed', similarity: null }
  })
  t.same((await session.list()).map(({ text }) => text).slice(4), [
    'And so is this answer',
    'An outage begins, and this is about something else'
  ])
  t.equal(session.state.pending.size, 2)
  t.same(rig.reminders(), [{ address: session.address, command: { type: 'session.embed' } }])
  t.equal(rig.behaviour.wakes?.(session.state), true, 'a start finds it')
})

t.test('answered questions that come word for word again during an outage update their memories and do not short-circuit', async (t) => {
  const rig = createRig()
  const session = await rig.create()
  await session.run(QUESTION)
  await session.store(ANSWER)
  rig.fail()
  const reply = await session.run(QUESTION, { response: ANSWER })
  t.equal(reply.shortCircuit, false)
  t.match(reply.dedupSignal, { isUpdate: true, maxSim: 1 })
  t.equal((await session.list()).length, 2)
  t.equal(session.state.pending.size, 0, 'the vectors that there were stand')
  t.match(await session.ask({ type: 'session.dedupCheck', text: ANSWER, dedupThreshold: -1 }), { isUpdate: true })
  t.match(await session.ask({ type: 'session.dedupCheck', text: 'anything', dedupThreshold: -1 }), {
    isUpdate: false,
    maxSim: 0,
    matchedId: null
  })
})

const input = fc.record({
  text: fc.nat(TALK.length - 1),
  way: fc.constantFrom('run', 'store', 'learn', 'ingest'),
  isAway: fc.boolean(),
  isRestored: fc.boolean()
})

function commandOf({ text, way }: { text: number; way: string }, at: number): SessionCommand {
  // Numbered, so that none updates another: without vectors, repetitions in other words cannot be detected.
  const words = `${TALK[text] ?? ''} ${String(at)}${String(at)}`
  if (way === 'store') return { type: 'session.store', response: words }
  if (way === 'learn') return { type: 'exchange.learn', exchanges: [{ question: words, answer: `${words} indeed`, userId: null }] }
  return way === 'ingest'
    ? { type: 'memory.ingest', memories: [{ text: words, role: 'user' }] }
    : { type: 'session.run', message: words, resetContext: false }
}

t.test('any inputs with the embedder away at any of them leave the session that there would have been, once it is back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(input, { minLength: 1, maxLength: 14 }), fc.boolean(), async (inputs, enableTopicSwitch) => {
      const rig = createRig()
      const [plain, session] = [await rig.create('plain', { enableTopicSwitch }), await rig.create('s', { enableTopicSwitch })]
      for (const [at, one] of inputs.entries()) {
        rig.mend()
        await plain.ask(commandOf(one, at))
        if (one.isAway) rig.fail()
        await session.ask(commandOf(one, at))
        const again = await session.restored()
        const found =
          differenceOf([...again.pending].sort(), [...session.state.pending].sort()) ??
          differenceOf(stateVector(again), stateVector(session.state))
        if (found !== null) throw new Error(`read back: ${found}`)
      }
      rig.mend()
      await embedPending(session)
      if (session.state.pending.size > 0) throw new Error('still pending')
      const folded = ({ state }: RigSession) =>
        state.head.folds.map(({ memoryId, ...fold }) => ({ ...fold, text: state.corpus.get(memoryId)?.memory.text }))
      const found =
        differenceOf(stateVector(plain.state), stateVector(session.state)) ??
        differenceOf(folded(plain), folded(session)) ??
        differenceOf(plain.state.head.driftScore, session.state.head.driftScore) ??
        differenceOf(plain.state.topics.list().length, session.state.topics.list().length)
      if (found !== null) throw new Error(found)
    }),
    { numRuns: 25 }
  )
})

t.test('a pending text is found by its words at once, by its vector later, and survives an export', async (t) => {
  const rig = createRig()
  const session = await rig.create()
  rig.fail()
  await session.run(QUESTION)
  const found = await session.ask({ type: 'session.search', query: 'billing portal password', topK: 5, filter: {}, explain: false })
  t.equal(found.retrievalError, true)
  t.equal(found.results[0]?.text, QUESTION)
  rig.mend()
  const copy = await rig.open('copy', { type: 'session.import', stateDict: JSON.parse(session.exported()) as unknown })
  t.equal(copy.exported(), session.exported())
  rig.fail()
  t.equal(rig.reminders().length, 2)
  t.same(await embedPending(copy), { embedded: 0, pending: 1 }, 'not yet')
  rig.mend()
  t.same(await embedPending(copy), { embedded: 1, pending: 0 })
  t.equal(rig.behaviour.wakes?.(copy.state), false)
  t.ok((await copy.search('billing portal')).length > 0)
  t.equal((await copy.metrics()).interactionCount, 1, 'no second turn')
  t.equal((await copy.run('what now?', { response: ANSWER })).retrievalError, false)
  t.equal((await copy.run(QUESTION)).shortCircuit, true)
  await session.ask({ type: 'session.delete' })
  t.same(rig.reminders(), [], 'a deleted session waits for nothing')
})

t.test('an erasure during an outage takes what is pending as well', async (t) => {
  const rig = createRig()
  const session = await rig.create()
  await session.run('My own words', { userId: 'bob' })
  rig.fail()
  await session.run(QUESTION, { userId: 'ann' })
  await session.ask({ type: 'user.erase', userId: 'ann' })
  t.notMatch(session.exported(), 'billing')
  t.equal(session.state.pending.size, 0)
  t.equal(session.state.head.folds.length, 1)
})

t.test('a session that waits for vectors is asked for no longer once it is deleted, or is found to be gone', async (t) => {
  const rig = createRig()
  rig.fail()
  const [deleted, gone] = [await rig.create('deleted'), await rig.create('gone')]
  for (const session of [deleted, gone]) await session.run('What comes during an outage')
  t.equal(rig.reminders().length, 2)
  rig.advance(60)
  await deleted.ask({ type: 'session.delete' })
  t.same(rig.reminders(), [{ address: gone.address, command: { type: 'session.embed' } }])
  rig.advance(60)
  rig.behaviour.missing(gone.address)
  t.same(rig.reminders(), [])
})

t.test('nothing unchecked passes a closed level; FILTER lets in the least of it; where there is no rule it passes', async (t) => {
  const rules = { exclusionEmbeddings: [], similarityThreshold: 0.7 } as const
  for (const [level, domain, action] of [
    ['QUARANTINE', [embeddingOf(QUESTION)], 'quarantined'],
    ['LOCKDOWN', [embeddingOf(QUESTION)], 'blocked'],
    ['LOCKDOWN', [], 'blocked'],
    ['FILTER', [embeddingOf(QUESTION)], 'down_weighted'],
    ['QUARANTINE', [], 'passed'],
    ['FILTER', [], 'passed']
  ] as const) {
    const rig = createRig()
    const session = await rig.create()
    await session.ask({ type: 'isolation.set', level, allowlistEmbeddings: domain, ...rules })
    rig.fail()
    const reply = await session.run(QUESTION)
    t.match(reply.isolation, { level, action, similarity: null })
    t.same(
      (await session.ask({ type: 'isolation.screen', texts: ['Another text'] })).refused,
      action === 'quarantined' || action === 'blocked' ? [0] : []
    )
    if (action !== 'quarantined') continue
    t.equal(session.state.corpus.size, 0)
    t.equal((await session.ask({ type: 'isolation.release' })).releasedCount, 1)
    rig.mend()
    t.same(await embedPending(session), { embedded: 1, pending: 0 })
  }
})

t.test('an overload, or what is nothing without its vector, is refused; the session stays as it was', async (t) => {
  const rig = createRig()
  const session = await rig.create()
  rig.fail()
  t.equal(await session.refusal({ type: 'anchor.set', text: QUESTION }), 'embedder_unavailable')
  rig.fail(new DomainError('busy', 'Too many texts are waiting for the embedder'))
  t.equal(await session.refusal({ type: 'session.run', message: QUESTION, resetContext: false }), 'busy')
  t.equal(session.state.corpus.size, 0)
})

t.test('a text that the model refuses keeps no other from its vector', async (t) => {
  const rig = createRig()
  const session = await rig.create()
  const embed = rig.embedder.embed.bind(rig.embedder)
  rig.embedder.embed = (texts, how) =>
    texts.includes('poison') ? Promise.reject(new DomainError('embedder_unavailable', 'refused')) : embed(texts, how)
  await session.ask({ type: 'memory.ingest', memories: ['one', 'poison', 'three'].map((text) => ({ text, role: 'user' })) })
  t.equal(session.state.pending.size, 1)
  t.same(await embedPending(session), { embedded: 0, pending: 1 })
})

t.test('sessions that wait are asked in turns, and less often while nothing comes of it', async (t) => {
  const pendings = createPendings()
  const addresses = Array.from({ length: 40 }, (_, n) => ({ kind: 'session', subject: 'tester', id: `s${String(n)}` }) as const)
  for (const address of addresses) pendings.note(address, 2)
  t.equal(pendings.total(), 80)
  const first = pendings.due(100)
  t.same([...first, ...pendings.due(100)], addresses, 'each once')
  t.same(pendings.due(100), [])
  const [one] = addresses
  if (one === undefined) throw new Error('none')
  for (const address of addresses.slice(1)) pendings.note(address, 0)
  const asked: number[] = []
  for (let now = 100; now < 130; now++) if (pendings.due(now).length > 0) asked.push(now)
  t.same(asked, [101, 103, 107, 115, 123])
  pendings.note(one, 1)
  t.same(pendings.due(123), [one], 'something came of it')
})
