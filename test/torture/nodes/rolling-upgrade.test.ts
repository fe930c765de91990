/** Upgrade from the last version to this one, node by node under load: nothing acknowledged is lost, and nothing is there twice. */
import { setTimeout as passed } from 'node:timers/promises'
import t from 'tap'
import { builtProgram } from '../../support/built.js'
import { needs, skippedFor } from '../../support/needs.js'
import { lastVersion, pastProgram, whyNoHistory } from '../../upgrades/past-program.js'
import { createHttpClient, type HttpClient } from './http-client.js'
import { type Node, startTeam, type Team, untilReady } from './node-team.js'

const WRITERS = 6
/** Time limit of a request in milliseconds, and milliseconds between two requests of one writer. */
const PATIENCE_MS = 5_000
const PAUSE_MS = 20
/** Milliseconds after which a writer gives up a text: a node that is replaced is away for seconds, on a busy machine for many. */
const TRIES_MS_MAX = 120_000

/** Enough memories for this version to store them in packs, and enough sessions for each node to own some. */
const LONG = 130
const LONG_SESSIONS = 9
/** Time limit in milliseconds for requests with that many memories, which take longer. */
const LONG_PATIENCE_MS = 30_000

interface Writer {
  readonly id: string
  readonly acknowledged: string[]
  readonly ended: Promise<void>
}

/** Last version's program: built for the first test that needs it, and removed after the tests of this file. */
let made: Promise<string> | null = null
const pastOnce = () => (made ??= pastProgram(t, lastVersion()))

const options = { ...needs('nats-server', 'initdb'), ...skippedFor(whyNoHistory()), timeout: 900_000 }

t.test('three nodes are exchanged one by one while they are written to', options, async (t) => {
  const [past, program] = await Promise.all([pastOnce(), builtProgram('src/main')])
  const team = await startTeam({ program: [past], backend: 'postgres', lines: 'direct' })
  t.teardown(() => team.stop())
  const client = createHttpClient({ patienceMs: PATIENCE_MS })
  t.teardown(() => client.close())
  const load = { isOver: false }
  const writers = Array.from({ length: WRITERS }, (_, at) => startWriter({ client, team, load, at }))
  await untilAcknowledged(writers, 5)
  for (const node of team.nodes) {
    t.equal(await node.terminate(), 0, `${node.name} leaves in order`)
    await node.start([program])
    await untilReady(node)
    await untilAcknowledged(writers, 5)
  }
  load.isOver = true
  await Promise.all(writers.map(({ ended }) => ended))
  for (const { id, acknowledged } of writers) t.strictSame(await textsOf(client, team.nodes[0] as Node, id), acknowledged, id)
  t.ok(writers.every(({ acknowledged }) => acknowledged.length >= 20))
  const [{ id } = { id: '' }] = writers
  const days = await client.send(team.nodes[1]?.url ?? '', { method: 'GET', path: `/v1/session/${id}/days` })
  t.match(days, { status: 200, body: { days: [{ turns: Number }] } })
})

t.test('a node of this version keeps long sessions as the last one finds them, while one of that is there', options, async (t) => {
  const [past, program] = await Promise.all([pastOnce(), builtProgram('src/main')])
  const team = await startTeam({ program: [past], backend: 'postgres', lines: 'direct' })
  t.teardown(() => team.stop())
  const client = createHttpClient({ patienceMs: LONG_PATIENCE_MS })
  t.teardown(() => client.close())
  const [first, second] = team.nodes as [Node, Node]
  await first.terminate()
  await first.start([program])
  await untilReady(first)
  const texts = Array.from({ length: LONG }, (_, at) => `Crate ${at} stands in row ${7 * at} of the hall.`)
  const ids = Array.from({ length: LONG_SESSIONS }, (_, at) => `long-${at}`)
  for (const id of ids) {
    await client.send(first.url, { method: 'POST', path: '/v1/session/create', body: { session_id: id } })
    const body = { memories: texts.map((text) => ({ text })) }
    t.match(await client.send(first.url, { method: 'POST', path: `/v1/session/${id}/memories`, body }), { status: 200 })
  }
  t.equal(await first.terminate(), 0)
  for (const id of ids) t.strictSame(await textsOf(client, second, id), texts, id)
})

interface Writing {
  readonly client: HttpClient
  readonly team: Team
  readonly load: { readonly isOver: boolean }
  readonly at: number
}

/** Starts a writer: it writes one text after the other and retries each until it is acknowledged, at one node after the other. */
function startWriter({ client, team, load, at }: Writing): Writer {
  const id = `writer-${at}`
  const acknowledged: string[] = []
  let asked = at
  async function write(text: string): Promise<void> {
    const endsAt = performance.now() + TRIES_MS_MAX
    for (;;) {
      const node = team.nodes[asked++ % team.nodes.length] as Node
      const reply = await client.send(node.url, { method: 'POST', path: '/v1/run', body: { session_id: id, message: text } })
      if (typeof reply === 'object' && reply.status === 200) {
        acknowledged.push(text)
        return
      }
      if (typeof reply === 'object' && reply.status < 500) throw new Error(`${node.name} refused: ${JSON.stringify(reply)}`)
      if (performance.now() > endsAt) throw new Error(`Nobody took ${text}: ${JSON.stringify(reply)}`)
      await passed(PAUSE_MS)
    }
  }
  async function writeAll(): Promise<void> {
    for (let n = 0; !load.isOver; n++) {
      await write(`Writer ${at} says number ${n} of all that there is to say.`)
      await passed(PAUSE_MS)
    }
  }
  return { id, acknowledged, ended: writeAll() }
}

/** Resolves when each writer has `more` further acknowledged texts. Rejects with the error of the first writer that gave up. */
async function untilAcknowledged(writers: readonly Writer[], more: number): Promise<void> {
  const wanted = writers.map(({ acknowledged }) => acknowledged.length + more)
  const isThere = () => writers.every(({ acknowledged }, at) => acknowledged.length >= (wanted[at] ?? 0))
  const failed = Promise.all(writers.map(({ ended }) => ended))
  while (!isThere()) await Promise.race([passed(PAUSE_MS), failed])
}

async function textsOf(client: HttpClient, node: Node, id: string): Promise<string[]> {
  const reply = await client.send(node.url, { method: 'GET', path: `/v1/session/${id}/memories?limit=1000` })
  if (typeof reply !== 'object' || reply.status !== 200) throw new Error(`No answer for ${id}: ${JSON.stringify(reply)}`)
  return (reply.body as { memories: { text: string }[] }).memories.map(({ text }) => text)
}
