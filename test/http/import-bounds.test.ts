// Whatever import accepts can be used, exported and imported again: for each number of an export, its largest and smallest value.
import t from 'tap'
import { checksumOf } from '../../actors/session/record/document.js'
import { inOneGo } from '../../src/domain/pieces.js'
import { exported, type Exported, fill, type Json, stillService } from '../support/filled-session.js'
import type { Caller } from '../support/real-service.js'

/** Values from either end of JSON's range; the first one that is accepted counts as the bound. */
const LARGEST = [
  Number.MAX_VALUE,
  1e300,
  2 ** 128,
  3.4028234663852886e38,
  2 ** 53,
  2 ** 53 - 1,
  2 ** 52,
  8.64e15,
  8.64e12,
  2 ** 32,
  1e6,
  64,
  8,
  4,
  2,
  1
]
const SMALLEST = [-Number.MAX_VALUE, -1e300, -3.4028234663852886e38, -(2 ** 53), -8.64e12, -1, 0, Number.MIN_VALUE, 1]

const REACHED = {
  largest: {
    head: { interaction_count: 2 ** 52, last_active_at: 8.64e12 },
    memory: { stats: { access_count: 2 ** 52, importance: 3.4028234663852886e38 } }
  },
  smallest: { head: { interaction_count: 0, last_active_at: -8.64e12 } },
  'last in order': { head: { next_seq: 2 ** 52 } }
}

type Path = readonly (string | number)[]

/** Paths of all numbers; of lists only those of the last item, because order and references depend on the earlier ones. */
function* numbersOf(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value === 'number') yield path
  if (typeof value !== 'object' || value === null) return
  const entries = Array.isArray(value) ? [...value.entries()].slice(-1) : Object.entries(value as Json)
  for (const [key, item] of entries) yield* numbersOf(item, [...path, key])
}

function withNumber(payload: Exported, path: Path, number: number): Exported {
  const copy = structuredClone(payload)
  const owner = path.slice(0, -1).reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], copy.state_dict.session)
  ;(owner as Record<string | number, unknown>)[path.at(-1) ?? ''] = number
  const checksum = inOneGo(checksumOf(copy.state_dict))
  return { ...copy, checksum, state_dict: { ...copy.state_dict, checksum } }
}

/** Uses everything that counts, weighs, numbers or dates: each request may be refused, none may fail. */
async function use(alice: Caller, id: string): Promise<readonly number[]> {
  const session = `/v1/session/${id}`
  const run = (message: string, more: object = {}) => alice.post('/v1/run', { session_id: id, message, ...more })
  const answers = [
    await run('Belgian banks and their quarterly earnings, once more'),
    await alice.put(`${session}/isolation`, { level: 'OPEN' }),
    await run('Is the Übergabe on Friday?', { response: 'It is.', user_id: 'u1' }),
    await run('Is the Übergabe on Friday?', { short_circuit_threshold: -1 }),
    await run('Whales sleep upright in the warm sea.'),
    await alice.post(`${session}/isolation/release`),
    await alice.post('/v1/store', { session_id: id, response: 'A gas boiler costs about 8 000 €. 😀\r\n', dedup_threshold: -1 }),
    await alice.post(`${session}/memory`, { text: 'The garden is 400 m².', importance: 1 }),
    await alice.post(`${session}/memories`, { memories: [{ text: 'One more.' }] }),
    await alice.post(`${session}/entities`, { key: 'a/b.ts', kind: 'path', value: 'again' }),
    await run('What is in ключ?'),
    await alice.get(`/v1/state/context?session_id=${id}&top_k=50`),
    await alice.post(`${session}/search`, { query: 'boiler', explain: true }),
    await alice.get(`/v1/metrics/${id}`),
    await alice.get(`${session}/memories`)
  ]
  const gaps = JSON.stringify(answers.map(({ body }) => body)).match(
    /"(importance|relevance|score|drift_score|similarity_variance|mean_similarity|timestamp|access_count)":null/g
  )
  if (gaps !== null) throw new Error(`numbers were lost: ${gaps.join()}`)
  return answers.map(({ status }) => status)
}

t.test('import: every number at its bounds; the session is used, exported and imported again', async (t) => {
  const { alice } = await stillService(t)
  await fill(alice)
  const original = await exported(alice, 's')
  const paths = [...numbersOf(original.state_dict.session)]
  t.ok(paths.length >= 35, `${paths.length} numbers`)
  // Values that exhaust the numbering of memories make most commands refuse. Each of the others is tried together with all that fit it.
  const orders = paths.filter((path) => ['seq', 'next_seq'].includes(String(path.at(-1))))
  const rest = paths.filter((path) => !orders.includes(path))
  for (const [name, candidates, chosen] of [
    ['largest', LARGEST, rest],
    ['smallest', SMALLEST, rest],
    ['last in order', LARGEST, orders]
  ] as const) {
    let payload = original
    for (const path of chosen) {
      for (const number of candidates) {
        const next = withNumber(payload, path, number)
        const { status } = await alice.post('/v1/session/copy/import', next)
        t.match(status, /^(200|400)$/, `${path.join('.')} = ${number}`)
        if (status !== 200) continue
        payload = next
        break
      }
    }
    t.equal((await alice.post('/v1/session/copy/import', payload)).status, 200, name)
    const statuses = await use(alice, 'copy')
    t.strictSame(
      statuses.filter((status) => status >= 500 || status === 422 || status === 404),
      [],
      name
    )
    const again = await exported(alice, 'copy')
    t.not(again.checksum, payload.checksum, `${name}: was used`)
    t.match(await alice.post('/v1/session/twice/import', again), { status: 200 }, `${name}: exported after use`)
    const { head, memories } = payload.state_dict.session
    t.match({ head, memory: memories.at(-1) }, REACHED[name], `${name}: the bounds were found`)
  }
})

t.test('a session that has numbered its last memory refuses new ones after its import, and stays whole', async (t) => {
  const { alice } = await stillService(t)
  await fill(alice)
  const payload = withNumber(await exported(alice, 's'), ['head', 'next_seq'], 2 ** 52)
  t.equal((await alice.post('/v1/session/copy/import', payload)).status, 200)
  await alice.put('/v1/session/copy/isolation', { level: 'OPEN' })
  const { checksum } = await exported(alice, 'copy')
  t.match(await alice.post('/v1/session/copy/memory', { text: 'new' }), { status: 409, body: { detail: /cannot number further memories/ } })
  t.match(await alice.post('/v1/run', { session_id: 'copy', message: 'Is the Übergabe on Monday?' }), { status: 409 })
  t.equal((await exported(alice, 'copy')).checksum, checksum)
  t.match(await alice.post('/v1/run', { session_id: 'copy', message: 'Is the Übergabe on Monday?', reset_context: true }), { status: 200 })
})
