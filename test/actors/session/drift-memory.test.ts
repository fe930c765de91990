/** Hysteresis of drift: a session that has drifted stays so for a while, reports it once, and behaves the same after rehydration. */
import t from 'tap'
import { checksumOf } from '../../../actors/session/record/document.js'
import { hashText } from '../../../actors/session/record/hash.js'
import type { SessionState } from '../../../actors/session/record/state.js'
import { judgeMessage } from '../../../actors/session/turn/message.js'
import type { ImportSession } from '../../../src/domain/commands/control-commands.js'
import type { RunReply } from '../../../src/domain/commands/session-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import type { IsolationLevel } from '../../../src/domain/session.js'
import { createSessionRig, embeddingOf, type RigSession, type SessionRig } from '../../support/session-rig.js'

/** Range of a turn's score: at the threshold or above, between 0.6 of it and the threshold, or below that. */
type Band = 'over' | 'between' | 'below'

const TOPICS = [
  'which soil suits the roses best',
  'quarterly earnings of Belgian banks',
  'restart the mail server on Friday',
  'my flight to Lisbon leaves at noon'
]

/** Runs a turn whose score lies in the band, by moving the threshold. */
async function turn(session: RigSession, band: Band): Promise<RunReply> {
  const { interactionCount } = session.state.head
  const message = `${TOPICS[interactionCount % TOPICS.length] ?? ''} ${String(interactionCount)}`
  setThreshold(session, 0.5)
  const text = { text: message, partEnds: [message.length], vectors: Float32Array.from(embeddingOf(message)) }
  const { driftScore } = inOneGo(judgeMessage(session.work(), text, { userId: null, share: 1 }))
  setThreshold(session, { over: driftScore, between: driftScore / 0.8, below: driftScore * 2 + 0.001 }[band])
  return session.run(message)
}

function setThreshold(session: RigSession, driftThreshold: number): void {
  Object.assign(session.work().services, { driftThreshold })
}

/** Creates a cluster's session with some turns. */
async function begin(rig: SessionRig): Promise<RigSession> {
  const session = await rig.cluster('c')
  for (let n = 0; n < 3; n++) await turn(session, 'below')
  return session
}

async function phasesOf(session: RigSession, bands: readonly Band[]): Promise<string[]> {
  const phases: string[] = []
  for (const band of bands) phases.push((await turn(session, band)).driftPhase)
  return phases
}

const ELSEWHERE = 'quarterly earnings of Belgian banks'

/** Creates a cluster's session with turns on a single topic. */
async function talkOfRoses(rig: SessionRig): Promise<RigSession> {
  const session = await rig.cluster('c')
  for (let n = 0; n < 6; n++) await session.run(`prune the roses in March, said gardener ${String(n)}`)
  return session
}

const noted = ({ messages }: SessionRig) => messages.filter(({ command }) => command.type === 'cluster.noteDrift').length

t.test('a session that has drifted stays so while scores tremble around the threshold, and tells its cluster once', async (t) => {
  const rig = createSessionRig()
  const session = await begin(rig)
  const replies: RunReply[] = []
  for (const band of ['over', 'between', 'over', 'between', 'between', 'over'] as const) replies.push(await turn(session, band))
  t.same([...new Set(replies.map(({ driftPhase }) => driftPhase))], ['drifted'])
  t.same(
    replies.map(({ driftDetected }) => driftDetected),
    [true, false, true, false, false, true],
    'each turn for itself'
  )
  t.equal(noted(rig), 1)
})

t.test('a drift is over after three turns under the threshold, and told again when it comes back', async (t) => {
  const rig = createSessionRig()
  const session = await begin(rig)
  t.same(await phasesOf(session, ['between', 'over', 'between', 'between', 'between']), [
    'shifting',
    'drifted',
    'drifted',
    'drifted',
    'shifting'
  ])
  t.equal(noted(rig), 1)
  t.same(await phasesOf(session, ['over', 'below', 'between', 'over']), ['drifted', 'stable', 'shifting', 'drifted'])
  t.equal(noted(rig), 3)
})

t.test('a session remembers how far a drift is over when it comes back, and after an export and an import', async (t) => {
  const rig = createSessionRig()
  const session = await begin(rig)
  for (const band of ['over', 'between', 'between', 'between', 'below'] as const) {
    await turn(session, band)
    const { mind, head } = session.state
    const restored = await session.restored()
    t.same(restored.mind.value(), mind.value())
    t.equal(restored.head.calmTurns, head.calmTurns)
    const copy = await rig.open(`copy ${String(head.interactionCount)}`, toImport(JSON.parse(session.exported())))
    t.same(copy.state.mind.value(), mind.value())
    t.equal(copy.exported(), session.exported())
  }
})

type StateDict = Record<string, unknown> & { readonly session: { readonly head: Record<string, unknown> } }

function toImport(stateDict: unknown): ImportSession {
  return { type: 'session.import', stateDict }
}

t.test('records and exports of before drift had a memory are read as of a session that has just drifted', async (t) => {
  const rig = createSessionRig()
  const session = await begin(rig)
  await phasesOf(session, ['over', 'between'])
  const { head, ...record } = await session.record()
  const { session: stored } = head as { readonly session: Record<string, unknown> }
  delete stored['calmTurns']
  const restored = inOneGo(rig.behaviour.restore(session.address, { ...record, head }))
  const isDrifted = ({ head, mind }: SessionState): void => {
    t.match(head, { driftPhase: 'drifted', calmTurns: 0 })
    t.match(mind.value(), { drift: { drifted: 'over' } })
  }
  isDrifted(restored)

  const { checksum: _, ...stateDict } = JSON.parse(session.exported()) as StateDict
  delete stateDict.session.head['calm_turns']
  const copy = await rig.open('copy', toImport({ ...stateDict, checksum: inOneGo(checksumOf(stateDict)) }))
  isDrifted(copy.state)
})

t.test('an export with calm turns and no drift is refused', async (t) => {
  const rig = createSessionRig()
  const session = await begin(rig)
  const { checksum: _, ...stateDict } = JSON.parse(session.exported()) as StateDict
  stateDict.session.head['calm_turns'] = 1
  await t.rejects(rig.open('copy', toImport({ ...stateDict, checksum: inOneGo(checksumOf(stateDict)) })), { code: 'malformed_payload' })
})

t.test('a turn that drifted and is deleted leaves a session that has not; nobody is told of either', async (t) => {
  const rig = createSessionRig()
  const session = await talkOfRoses(rig)
  t.equal((await session.run(ELSEWHERE)).driftPhase, 'drifted')
  await session.ask({ type: 'memory.delete', hash: hashText(ELSEWHERE) })
  t.equal(session.state.head.driftPhase, 'stable')
  t.equal(noted(rig), 1)
})

t.test('a message that was held and drifts when it is let in is told, and the next one in the same drift is not', async (t) => {
  const rig = createSessionRig()
  const session = await talkOfRoses(rig)
  const isolate = (level: IsolationLevel, ...texts: string[]) =>
    session.ask({
      type: 'isolation.set',
      level,
      exclusionEmbeddings: texts.map((text) => embeddingOf(text)),
      allowlistEmbeddings: [],
      similarityThreshold: 0.7
    })
  await isolate('QUARANTINE', ELSEWHERE)
  t.match(await session.run(ELSEWHERE), { isolation: { action: 'quarantined' }, driftPhase: 'stable', driftDetected: false })
  t.equal(noted(rig), 0)
  await isolate('OPEN')
  await session.ask({ type: 'isolation.release' })
  t.equal(session.state.head.driftPhase, 'drifted')
  t.equal(noted(rig), 1)
  setThreshold(session, 0.0001)
  t.match(await session.run('my flight to Lisbon leaves at noon'), { driftDetected: true, driftPhase: 'drifted' })
  t.equal(noted(rig), 1)
})

t.test('a reset ends a drift', async (t) => {
  const rig = createSessionRig()
  const session = await begin(rig)
  await turn(session, 'over')
  t.equal((await session.run('something new', { resetContext: true })).driftPhase, 'stable')
  t.match(session.state.mind.value(), { drift: 'stable' })
})

t.test('a drift that only late vectors show is told then', async (t) => {
  const rig = createSessionRig()
  const session = await talkOfRoses(rig)
  const embed = rig.embedder.embed.bind(rig.embedder)
  rig.embedder.embed = () => Promise.reject(new DomainError('embedder_unavailable', 'away'))
  await session.run(ELSEWHERE)
  t.equal(noted(rig), 0)
  rig.embedder.embed = embed
  await session.ask({ type: 'session.embed' })
  t.equal(session.state.head.driftPhase, 'drifted')
  t.equal(noted(rig), 1)
})
