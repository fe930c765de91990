/** What a session's commits tell the audit trail. */
import { createHash } from 'node:crypto'
import t from 'tap'
import { hashText } from '../../../../actors/session/record/hash.js'
import type { SessionCommand } from '../../../../src/domain/commands/session-commands.js'
import { createSessionRig, embeddingOf, RIG_START, type RigSession } from '../../../support/session-rig.js'

const QUESTION = 'Where is the übergabe?'
const ANSWER = 'In the cellar.'

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')
const run = (more: object = {}): SessionCommand => ({ type: 'session.run', message: QUESTION, resetContext: false, ...more })
const store = (more: object = {}): SessionCommand => ({ type: 'session.store', response: ANSWER, ...more })

async function entries(session: RigSession, command: SessionCommand) {
  return (await session.changes(command))?.audit ?? []
}

t.test('a run that names a user is audited with its hash and size, in the commit of its state', async (t) => {
  const session = await createSessionRig({ audits: true }).create()
  const changes = await session.changes(run({ userId: 'ann', response: ANSWER }))
  t.ok((changes?.put.length ?? 0) > 0)
  t.strictSame(changes?.audit, [
    {
      action: 'run',
      userId: 'ann',
      sessionId: 's',
      requestId: 'r',
      timestamp: RIG_START,
      digest: sha256(`{"message":${JSON.stringify(QUESTION)},"response":${JSON.stringify(ANSWER)}}`),
      size: Buffer.byteLength(QUESTION + ANSWER)
    }
  ])
})

t.test('a store that names a user is audited', async (t) => {
  const session = await createSessionRig({ audits: true }).create()
  t.match(await entries(session, store({ userId: 'ann' })), [
    { action: 'store', userId: 'ann', digest: sha256(`{"response":${JSON.stringify(ANSWER)}}`), size: ANSWER.length }
  ])
  await session.store(ANSWER, { userId: 'ann' })
  t.match(await entries(session, store({ userId: 'ann' })), [{ size: ANSWER.length }], 'also as a duplicate')
})

t.test('a request leaves no entry when it names nobody, or without the compliance pack', async (t) => {
  const session = await createSessionRig({ audits: true }).create()
  t.same([...(await entries(session, run())), ...(await entries(session, store()))], [])
  const unaudited = await createSessionRig().create()
  t.same([...(await entries(unaudited, run({ userId: 'ann' }))), ...(await entries(unaudited, store({ userId: 'ann' })))], [])
  t.same(await entries(unaudited, { type: 'user.erase', userId: 'ann' }), [])
})

t.test('an input that isolation holds or blocks is audited by what was written of it', async (t) => {
  const session = await createSessionRig({ audits: true }).create()
  const exclusionEmbeddings = [embeddingOf(QUESTION)]
  const isolate = (level: 'QUARANTINE' | 'LOCKDOWN') =>
    session.ask({ type: 'isolation.set', level, exclusionEmbeddings, allowlistEmbeddings: [], similarityThreshold: 0.7 })
  await isolate('QUARANTINE')
  t.match(await entries(session, run({ userId: 'ann' })), [{ action: 'run', size: Buffer.byteLength(QUESTION) }])
  await isolate('LOCKDOWN')
  t.match(await entries(session, run({ userId: 'ann' })), [{ size: 0, digest: sha256('{}') }])
  t.match(await entries(session, run({ userId: 'ann', response: ANSWER })), [{ size: ANSWER.length }])
  t.match(await entries(session, run({ userId: 'ann', resetContext: true })), [{ size: 0 }], 'a reset does not drop it')
})

t.test('a refused command leaves no entry', async (t) => {
  const session = await createSessionRig({ audits: true, memoriesMax: 1 }).create()
  await t.rejects(session.changes(run({ userId: 'ann', response: ANSWER })), { code: 'memory_full' })
})

t.test('a batch of memories has one entry for each user that something was written under', async (t) => {
  const session = await createSessionRig({ audits: true }).create()
  const memory = (text: string, userId?: string) => ({ text, role: 'user' as const, ...(userId !== undefined && { userId }) })
  const first: SessionCommand = {
    type: 'memory.ingest',
    memories: [memory('one', 'ann'), memory('two', 'bob'), memory('three', 'ann'), memory('four')]
  }
  t.match(await entries(session, first), [
    { action: 'store', userId: 'ann', digest: sha256('{"memories":["one","three"]}'), size: 8 },
    { userId: 'bob', size: 3 }
  ])
  t.same(await entries(session, first), [], 'the same again writes nothing')
})

t.test('an erasure is audited once, without a word of what was erased', async (t) => {
  const session = await createSessionRig({ audits: true }).create()
  await session.run(QUESTION, { userId: 'ann', response: ANSWER })
  t.match(await entries(session, { type: 'user.erase', userId: 'ann' }), [
    { action: 'erase', userId: 'ann', digest: sha256('{}'), size: 2 }
  ])
  t.equal(await session.changes({ type: 'user.erase', userId: 'ann' }), null)
})

t.test('a digest is neither that of the texts run together nor begins as a memory_hash', async (t) => {
  const digests = await Promise.all(
    [run({ message: 'a', response: 'bc' }), run({ message: 'ab', response: 'c' }), run({ message: 'abc' }), store({ response: 'abc' })].map(
      async (command) => {
        const other = await createSessionRig({ audits: true }).create()
        return (await entries(other, { ...command, userId: 'ann' } as SessionCommand))[0]?.digest ?? ''
      }
    )
  )
  t.equal(new Set(digests).size, 4)
  t.notOk(digests.some((digest) => digest.startsWith(hashText('abc'))))
})
