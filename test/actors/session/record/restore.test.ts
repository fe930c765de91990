/** A session read back from storage equals the session that wrote it, whatever its commands were. */
import fc from 'fast-check'
import t from 'tap'
import { stateVector } from '../../../../actors/session/semantic-state/folds.js'
import { refold } from '../../../../actors/session/semantic-state/refold.js'
import type { SessionCommand } from '../../../../src/domain/commands/session-commands.js'
import { segmentCentroid } from '../../../../src/domain/drift/topic-segments.js'
import { isDomainError } from '../../../../src/domain/errors.js'
import { createSessionRig, differenceOf, type RigSession, type SessionRig } from '../../../support/session-rig.js'
import { action, type Action, looks } from '../random-commands.js'

/** Sequences per property, which take some seconds. */
const RUNS = 40

const sequence = fc.array(action, { minLength: 1, maxLength: 40 })
const settings = fc.record({
  useCortex: fc.boolean(),
  enableTopicSwitch: fc.boolean(),
  updateThreshold: fc.constantFrom(0.3, 0.85),
  isShared: fc.boolean(),
  packedMax: fc.constantFrom(1, 3, 64)
})
type Settings = typeof settings extends fc.Arbitrary<infer Value> ? Value : never

async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work
  } catch (error) {
    if (isDomainError(error)) return { refusedWith: error.code }
    throw error
  }
}

function fail(found: string | null, what: string): void {
  if (found !== null) throw new Error(`${what}: ${found}`)
}

/** Derived vectors, by segment id. */
function derived(state: RigSession['state']) {
  const segments = [...state.topics.list()].sort((a, b) => a.id - b.id)
  return {
    vector: stateVector(state),
    segments: segments.map((segment) => ({
      id: segment.id,
      size: segment.size,
      centroid: segmentCentroid(segment),
      members: [...state.topics.members(segment.id)].sort()
    })),
    longTexts: [...state.longTexts].sort(),
    pinned: [...state.pinned].sort(),
    expiring: [...state.expiring].sort()
  }
}

/** Creates a session that others can transfer from. */
async function source(rig: SessionRig): Promise<void> {
  const session = await rig.create('source')
  await session.run('the ferry to Lisbon', { userId: 'cid' })
}

/** Runs the actions. At the lower update threshold, most texts reword others, with vectors far from those that were folded. */
async function drive(
  actions: readonly Action[],
  { updateThreshold, isShared, packedMax, ...own }: Settings,
  each: (session: RigSession, ask: () => Promise<unknown>, command: SessionCommand) => Promise<void>
) {
  const rig = createSessionRig({ memoriesMax: 20, updateThreshold, packedMax })
  await source(rig)
  const session = await rig.create('s', { ...own, ...(isShared && { backing: 'cluster' }) })
  for (const step of actions) {
    if ('waitS' in step) rig.advance(step.waitS)
    else await each(session, () => outcome(session.ask(step.command)), step.command)
  }
  return session
}

t.test('after any command, storage gives back the same session, and both answer the next command alike', async () => {
  await fc.assert(
    fc.asyncProperty(sequence, settings, async (actions, own) => {
      await drive(actions, own, async (session, ask, command) => {
        const other = await session.restored()
        const theirs = await outcome(session.askOther(other, command))
        fail(differenceOf(await ask(), theirs), command.type)
        const read = await session.restored()
        fail(differenceOf(derived(session.state), derived(read)), `derived after ${command.type}`)
        fail(differenceOf(session.state.head, read.head, 0), `head after ${command.type}`)
        fail(differenceOf(session.state.mind.value(), read.mind.value(), 0), `chart after ${command.type}`)
        fail(differenceOf(session.state.ties, read.ties, 0), `ties after ${command.type}`)
        for (const look of looks())
          fail(
            differenceOf(await session.askOther(session.state, look), await session.askOther(read, look)),
            `${look.type} after ${command.type}`
          )
      })
    }),
    { numRuns: RUNS }
  )
})

t.test('after any sequence, the fold log decided anew from its start is the one kept step by step', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 55 }), settings, async (actions, own) => {
      const session = await drive(actions, own, async (_, ask) => {
        await ask()
      })
      const again = await session.restored()
      const [first] = again.head.folds
      if (first !== undefined) refold(session.work(again), [first.memoryId])
      fail(differenceOf(again.head, session.state.head), 'head')
      fail(differenceOf(derived(again), derived(session.state)), 'derived')
    }),
    { numRuns: RUNS }
  )
})

t.test('a refused command leaves state and storage as they were', async () => {
  await fc.assert(
    fc.asyncProperty(sequence, settings, async (actions, own) => {
      await drive(actions, own, async (session, ask) => {
        const before = {
          mind: session.state.mind.value(),
          head: session.state.head,
          ties: session.state.ties,
          exported: session.exported(),
          derived: derived(session.state),
          rows: (await session.record()).rows
        }
        const reply = await ask()
        if (typeof reply !== 'object' || reply === null || !('refusedWith' in reply)) return
        if (session.state.head !== before.head || session.state.ties !== before.ties || session.exported() !== before.exported)
          throw new Error('the state has changed')
        fail(differenceOf(session.state.mind.value(), before.mind, 0), 'chart')
        fail(differenceOf(derived(session.state), before.derived, 0), 'derived')
        fail(differenceOf((await session.record()).rows, before.rows, 0), 'rows')
      })
    }),
    { numRuns: RUNS }
  )
})

t.test('an export, imported under another id, exports as the same text and verifies as consistent', async () => {
  await fc.assert(
    fc.asyncProperty(sequence, settings, async (actions, { updateThreshold, isShared: _, ...own }) => {
      const rig = createSessionRig({ memoriesMax: 20, updateThreshold })
      await source(rig)
      const session = await rig.create('s', own)
      for (const step of actions) if ('command' in step) await outcome(session.ask(step.command))
      const text = session.exported()
      const copy = await rig.open('copy', { type: 'session.import', stateDict: JSON.parse(text) as unknown })
      if (copy.exported() !== text) throw new Error('the export has changed')
      const test = looks().find((look) => look.type === 'session.probe')
      if (test?.type !== 'session.probe') throw new Error('no probe')
      const verdict = await copy.ask({
        type: 'session.verify',
        testEmbeddings: test.testEmbeddings,
        referenceSessionId: 's',
        tolerance: 1e-6
      })
      if (!verdict.consistent) throw new Error(`deviates by ${String(verdict.maxDeviation)}`)
      const own2 = await copy.ask({ type: 'session.verify', testEmbeddings: test.testEmbeddings, tolerance: 1e-6 })
      if (!own2.consistent) throw new Error('not consistent with its own export')
    }),
    { numRuns: RUNS }
  )
})
