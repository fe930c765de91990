/** Replies of a session are kept for a while; none of them contains what was deleted or erased since. */
import t from 'tap'
import { hashText } from '../../../actors/session/record/hash.js'
import type { SessionCommand } from '../../../src/domain/commands/session-commands.js'
import type { StoredRow } from '../../../src/ports.js'
import { hosted, hostOf } from '../../support/hosted.js'
import { createSessionRig, RIG_DIMENSION, RIG_MODEL } from '../../support/session-rig.js'

const SECRET = 'The vault behind the mirror opens with Wintermute 42'
const CREATE = { type: 'session.create', dimension: RIG_DIMENSION, useCortex: false, enableTopicSwitch: true, policyVectors: [] } as const

const run = (message: string, more: object = {}): SessionCommand => ({ type: 'session.run', message, resetContext: false, ...more })

/** Starts a session with an idempotency log, whose steps are committed one by one. */
async function start(own: Partial<Extract<SessionCommand, { type: 'session.create' }>> = {}) {
  const rig = createSessionRig()
  const session = hosted(hostOf(rig.behaviour, { isShared: true }))
  const address = { kind: 'session', subject: 'tester', id: 's' } as const
  let requests = 0
  const made = await session.initiate({ ...CREATE, ...own }, { address, now: rig.now, requestId: 'made' })
  if (made === null) throw new Error('It was not made')
  let token = await rig.storage.create(address, structuredClone(made.changes))
  if (token === null) throw new Error('It was there')
  const life = { ...made.life, token }
  const ask = async (command: SessionCommand, { requestId = `request-${String(++requests)}`, isRepeated = false } = {}) => {
    const request = { requestId, isRepeated, now: rig.now }
    const { reply, changes } = await session.run(life, command, request)
    if (changes !== null && token !== null) token = await rig.storage.commit(address, token, structuredClone(changes))
    return reply
  }
  return {
    rig,
    address,
    ask,
    /** What the storage holds: of the log, and in total. */
    async stored() {
      const record = await rig.storage.activate(address)
      token = record?.token ?? null
      const rows = record?.rows ?? []
      return {
        log: text(rows.filter(({ collection }) => collection === 'request')),
        all: text(rows) + JSON.stringify(record?.head),
        rows: rows.map(({ collection }) => collection)
      }
    }
  }
}

const text = (rows: readonly StoredRow[]) => JSON.stringify(rows)

/** Ann tells a secret, which then appears in a reply to Bob. */
async function tellSecret({ ask }: Pick<Awaited<ReturnType<typeof start>>, 'ask'>) {
  await ask(run(SECRET, { userId: 'ann' }))
  await ask({ type: 'session.store', response: 'Noted: the vault opens with Wintermute 42.', userId: 'ann' })
  await ask(run('What does the vault behind the mirror open with?', { userId: 'bob' }))
}

t.test('a reset leaves no answer of before', async (t) => {
  const session = await start()
  await tellSecret(session)
  t.match((await session.stored()).log, SECRET)
  await session.ask(run('Hello again', { resetContext: true }))
  t.notMatch((await session.stored()).all, SECRET)
})

t.test('an erased user is in no row of the record', async (t) => {
  const session = await start()
  await tellSecret(session)
  for (const trace of ['Wintermute', hashText(SECRET), '"ann"']) t.match((await session.stored()).all, trace)
  await session.ask({ type: 'user.erase', userId: 'ann' })
  for (const trace of ['Wintermute', hashText(SECRET), '"ann"']) t.notMatch((await session.stored()).all, trace)
})

t.test('a deleted memory is in no row of the record', async (t) => {
  const session = await start()
  await session.ask({ type: 'memory.ingest', memories: [{ text: SECRET, role: 'user' }] })
  await session.ask(run('What does the vault behind the mirror open with?'))
  t.match((await session.stored()).log, SECRET)
  await session.ask({ type: 'memory.delete', hash: hashText(SECRET) })
  t.notMatch((await session.stored()).all, SECRET)
})

t.test('a memory that has expired is in no row after the sweep', async (t) => {
  const session = await start()
  await session.ask({
    type: 'memory.inject',
    text: SECRET,
    tier: 'long_term',
    importance: 1,
    accessCount: 0,
    expiresAt: session.rig.now + 60
  })
  await session.ask(run('What does the vault behind the mirror open with?'))
  t.match((await session.stored()).log, SECRET)
  session.rig.advance(61)
  await session.ask({ type: 'session.sweep' })
  t.notMatch((await session.stored()).all, SECRET)
})

t.test('an entity that was replaced or removed is in no row of the record', async (t) => {
  const put = (value: string): SessionCommand => ({ type: 'entity.put', key: 'code', kind: 'path', value, importance: 1 })
  for (const end of [put('another'), { type: 'entity.remove', key: 'code' } as const]) {
    const session = await start()
    await session.ask(put(SECRET))
    t.match((await session.stored()).log, SECRET)
    await session.ask(end)
    t.notMatch((await session.stored()).all, SECRET)
  }
})

t.test('an erased user whom only a cluster knew is in no answer, and what the session answered of its own stays', async (t) => {
  const session = await start()
  const { rig } = session
  const cluster = await rig.cluster('c')
  await rig.join('c', session)
  await cluster.ask({ type: 'exchange.learn', exchanges: [{ question: null, answer: SECRET, userId: 'ann' }] })
  await session.ask(run('My train to Lisbon leaves at nine', { userId: 'bob' }), { requestId: 'own' })
  await session.ask(run('When does my train to Lisbon leave?', { userId: 'bob' }), { requestId: 'own too' })
  await session.ask(run('What does the vault behind the mirror open with?', { userId: 'bob' }))
  t.match((await session.stored()).log, SECRET)
  t.match((await session.stored()).log, 'Lisbon')
  await session.ask({ type: 'user.erase', userId: 'ann' })
  t.notMatch((await session.stored()).all, SECRET)
  t.match((await session.stored()).log, 'Lisbon')
})

t.test('an answer is given again when nothing of a text has gone, whatever rows have', async (t) => {
  const put: SessionCommand = { type: 'entity.put', key: 'code', kind: 'path', value: '/etc/motd', importance: 1 }
  const blend = (n: number): SessionCommand => ({
    ...{ type: 'state.blend', deliveryId: `d${String(n)}`, modelName: RIG_MODEL, coupling: 0.5 },
    target: { vector: new Float32Array(RIG_DIMENSION).fill(1, n, n + 1), users: [] }
  })
  const session = await start()
  const again = () => session.ask(run('My train to Lisbon leaves at nine'), { requestId: 'first' })
  await session.ask(put)
  const first = await again()
  const kept = async (command: SessionCommand) => {
    await session.ask(command)
    t.same(await again(), first, command.type)
  }
  await kept(put)
  await kept({ type: 'user.erase', userId: 'nobody' })
  await kept({ type: 'trigger.set', keyword: 'roses', threshold: 0.5 })
  await kept({ type: 'trigger.clear' })
  await kept(blend(0))
  for (const at of [0, 1]) {
    const texts = Array.from({ length: 64 }, (_, n) => ({ text: hashText(`${String(at)} ${String(n)}`), role: 'user' as const }))
    await kept({ type: 'memory.ingest', memories: texts })
  }
  t.ok((await session.stored()).rows.includes('packed'))
})

t.test('a turn that removes nothing leaves the answers of before', async (t) => {
  const session = await start()
  await tellSecret(session)
  await session.ask(run('Which roses bloom in May?'))
  t.match((await session.stored()).log, SECRET)
})

t.test('copies that were taken back twice may be learned again: the first try that comes late takes nothing', async (t) => {
  const { ask, stored } = await start({ backing: 'cluster' })
  const unlearn: SessionCommand = { type: 'exchange.unlearn', hashes: [hashText(SECRET)] }
  const message = { requestId: 'messages' }
  await ask(unlearn, { ...message, isRepeated: true })
  for (let n = 0; n < 70; n++) await ask({ type: 'entity.put', key: `k${String(n)}`, value: 'v', kind: 'path', importance: 1 })
  await ask({ type: 'exchange.learn', exchanges: [{ question: null, answer: SECRET, userId: null }] })
  await t.rejects(ask(unlearn, message), { code: 'outcome_unknown' })
  t.match((await stored()).all, SECRET)
})
