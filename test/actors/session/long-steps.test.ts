/** Long work in a large session is a step of many pieces, with the same reply as in one go. */
import t from 'tap'
import { hashText } from '../../../actors/session/record/hash.js'
import type { SessionCommand } from '../../../src/domain/commands/session-commands.js'
import { rowsOfSlab } from '../../../src/vectors/rows.js'
import { createSessionRig, embeddingOf, RIG_DIMENSION, type RigSession } from '../../support/session-rig.js'
import { UNBOUNDED, unbounded } from '../../support/unbounded.js'

const textOf = (at: number): string => `The red harbour of keeper ${String(at)}, who painted pier ${String(at % 61)}`

const RUN = { type: 'session.run', message: 'Which harbour was painted red by keeper 77?', resetContext: false } as const
const COMMANDS: Readonly<Record<string, SessionCommand>> = {
  run: RUN,
  'run with a response': { ...RUN, response: 'It was the red harbour of keeper 4711.', shortCircuitThreshold: -1 },
  'run that says what was said': { ...RUN, response: textOf(3), message: textOf(5) },
  store: { type: 'session.store', response: 'The red harbour of keeper nobody', dedupThreshold: -1 },
  'dedup-check': { type: 'session.dedupCheck', text: 'The red harbour of nobody at all' },
  search: { type: 'session.search', query: 'Which harbour was painted red?', topK: 200, filter: {}, explain: true },
  'search by vector': {
    type: 'session.search',
    embedding: embeddingOf('a red harbour'),
    topK: 5,
    filter: { role: 'assistant' },
    explain: false
  },
  context: { type: 'session.context', topK: 20, fullFirst: false, maxTextChars: 100 },
  ingest: { type: 'memory.ingest', memories: Array.from({ length: 50 }, (_, at) => ({ text: textOf(10_000 + at), role: 'user' })) },
  export: { type: 'session.export' },
  screening: { type: 'isolation.screen', texts: Array.from({ length: 50 }, (_, at) => textOf(20_000 + at)) },
  erasure: { type: 'user.erase', userId: 'u' }
}

/** Creates a session of that many memories, with some turns. */
async function large(memories: number) {
  const rig = createSessionRig()
  const session = await rig.create('s', { policyVectors: [{ embedding: embeddingOf('harbour'), weight: 1, promote: true }] })
  for (let at = 0; at < memories; at += 500) {
    const texts = Array.from({ length: Math.min(500, memories - at) }, (_, number) => textOf(at + number))
    await session.ask({
      type: 'memory.ingest',
      memories: texts.map((text, number) => ({ text, role: 'user', ...(number % 9 === 0 && { userId: 'u' }) }))
    })
  }
  for (const message of ['Who keeps the harbour?', 'What colour is it?'])
    await session.run(message, { response: `I do not know ${message}` })
  return { rig, session }
}

/** Runs the step in pieces. Returns their number, the reply and what would be written. */
async function stepped({ rig, session }: { rig: ReturnType<typeof createSessionRig>; session: RigSession }, command: SessionCommand) {
  const prepared = await rig.behaviour.prepare(session.state, command, unbounded({ requestId: 'p', now: rig.now }))
  const step = rig.behaviour.step(session.state, command, prepared, {
    address: session.address,
    now: rig.now,
    requestId: 'p',
    isFresh: false,
    room: UNBOUNDED
  })
  for (let pieces = 1; ; pieces++) {
    const next = step.next()
    if (next.done === true) return { pieces, reply: next.value.reply, rows: next.value.changes?.put, head: next.value.changes?.head }
  }
}

t.test('a step in pieces answers, and changes, what one in one go does', async (t) => {
  const [pieced, whole] = [await large(600), await large(600)]
  for (const [name, command] of Object.entries(COMMANDS)) {
    const { reply } = await stepped(pieced, command)
    t.strictSame(JSON.parse(JSON.stringify(reply)), JSON.parse(JSON.stringify(await whole.session.ask(command))), name)
    t.equal(pieced.session.exported(), whole.session.exported(), `${name}: the session afterwards`)
  }
})

t.test('a search, or a run that stores first, has more pieces where there is more, not longer ones', async (t) => {
  const [some, twice] = [await large(2_000), await large(4_000)]
  for (const name of ['run', 'run with a response', 'search', 'search by vector', 'dedup-check', 'store', 'context', 'export']) {
    const command = COMMANDS[name] as SessionCommand
    const [few, more] = [await stepped(some, command), await stepped(twice, command)]
    // Some pieces are those of the candidates, of which both have the same number.
    const slabs = 2_000 / rowsOfSlab(RIG_DIMENSION)
    t.ok(
      more.pieces - few.pieces >= (name === 'export' ? 1 : slabs - 1),
      `${name}: ${String(few.pieces)} and ${String(more.pieces)} pieces`
    )
  }
})

t.test('what is taken in or erased is so one memory a piece', async (t) => {
  const session = await large(600)
  const { pieces } = await stepped(session, COMMANDS['ingest'] as SessionCommand)
  t.ok(pieces > 50, `${String(pieces)} pieces`)
  const erased = await stepped(session, COMMANDS['erasure'] as SessionCommand)
  t.ok(erased.pieces > 600 / 9, `${String(erased.pieces)} pieces`)
})

t.test('texts that are screened are so one a piece', async (t) => {
  const session = await large(10)
  await session.session.ask({
    type: 'isolation.set',
    level: 'LOCKDOWN',
    exclusionEmbeddings: [],
    allowlistEmbeddings: [],
    similarityThreshold: 0
  })
  const { pieces, reply } = await stepped(session, COMMANDS['screening'] as SessionCommand)
  t.match(reply, { level: 'LOCKDOWN', refused: { length: 50 } })
  t.ok(pieces > 50, `${String(pieces)} pieces`)
})

t.test('an edit and a deletion of a text that many have examine, write and audit some of its memories a piece', async (t) => {
  const rig = createSessionRig({ audits: true })
  const session = await rig.create()
  const text = 'The gate opens at seven'
  const memories = Array.from({ length: 3_000 }, (_, at) => ({ text, role: 'user' as const, userId: `u${String(at)}` }))
  await session.ask({ type: 'memory.ingest', memories })
  const hash = hashText(text)
  // Each of 512: examined, written, counted by data subject, and audited.
  const edited = await stepped({ rig, session }, { type: 'memory.edit', hash, importance: 3 })
  t.ok(edited.pieces > 4 * 5, `${String(edited.pieces)} pieces`)
  // Each of 1,024: looked up and examined. Removed one by one. Each of 512: counted and audited.
  const deleted = await stepped({ rig, session }, { type: 'memory.delete', hash })
  t.ok(deleted.pieces > 2 * 2 + 3_000 + 2 * 5, `${String(deleted.pieces)} pieces`)
})
