/**
 * How accurately a node accounts for its memory: heap and buffers of the process before and after sessions of several shapes, beside the
 * budget's figures. Run with `npm run bench:counted`.
 */
import { cpus } from 'node:os'
import { readConfig } from '../src/config.js'
import { createService, type Service } from '../src/service.js'
import { collectGarbage } from './garbage.js'

interface Shape {
  readonly name: string
  readonly sessions: number
  readonly fill: (service: Service, sessionId: string) => Promise<void>
}

const SHAPES: readonly Shape[] = [
  { name: 'empty', sessions: 1_000, fill: (service, id) => create(service, id, 384) },
  { name: '10 turns, 384 dimensions', sessions: 1_000, fill: async (service, id) => turns(service, id, 10) },
  { name: '20 turns, 384 dimensions', sessions: 100, fill: async (service, id) => turns(service, id, 20) },
  {
    name: '1,000 short memories, 384',
    sessions: 5,
    fill: async (service, id) => ingest(service, id, { dimension: 384, count: 1_000, words: 12 })
  },
  {
    name: '50 texts of 5,000 words, 384',
    sessions: 2,
    fill: async (service, id) => ingest(service, id, { dimension: 384, count: 50, words: 5_000 })
  },
  {
    name: '200 short memories, 16,384',
    sessions: 3,
    fill: async (service, id) => ingest(service, id, { dimension: 16_384, count: 200, words: 3 })
  },
  { name: '64 anchors and 100 triggers, 4,096', sessions: 3, fill: controls },
  { name: '1,000 entities of 2,000 characters', sessions: 3, fill: entities }
]

async function main(): Promise<void> {
  print(`Node ${process.version}, ${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown processor'}; lexical embedder, memory backend`)
  for (const shape of SHAPES) await measure(shape)
}

async function measure({ name, sessions, fill }: Shape): Promise<void> {
  const service = await start()
  await fill(service, 'warm')
  const before = { ...(await counted(service)), ...(await taken()) }
  for (let at = 0; at < sessions; at++) await fill(service, `s${String(at)}`)
  const after = { ...(await counted(service)), ...(await taken()) }
  const heap = after.countedHeap - before.countedHeap
  const buffers = after.countedAll - before.countedAll - heap
  const [takenHeap, takenBuffers] = [after.heap - before.heap, after.buffers - before.buffers]
  const kib = (bytes: number): string => (bytes / sessions / 1024).toFixed(1).padStart(9)
  const ratio = ((heap + buffers) / (takenHeap + takenBuffers)).toFixed(2)
  print(
    `${name.padEnd(36)} heap ${kib(heap)} KiB counted, ${kib(takenHeap)} taken; buffers ${kib(buffers)} counted, ${kib(takenBuffers)} taken; counted/taken ${ratio}`
  )
  await service.close()
}

async function start(): Promise<Service> {
  const settings = {
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_LOG_LEVEL: 'error'
  }
  const service = await createService(readConfig({ ...settings, METRICS_USER: 'm', METRICS_PASSWORD: 'm' }))
  await service.start()
  return service
}

async function counted(service: Service): Promise<{ countedAll: number; countedHeap: number }> {
  const { body } = await service.http.inject({
    url: '/metrics',
    headers: { authorization: `Basic ${Buffer.from('m:m').toString('base64')}` }
  })
  const value = (name: string): number => Number(new RegExp(`^${name}\\{kind="session"\\} (.*)$`, 'm').exec(body)?.[1] ?? 0)
  return { countedAll: value('service_held_bytes'), countedHeap: value('service_held_heap_bytes') }
}

async function taken(): Promise<{ heap: number; buffers: number }> {
  await collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed, buffers: arrayBuffers }
}

async function post(service: Service, url: string, payload: object): Promise<void> {
  const response = await service.http.inject({ method: 'POST', url, payload })
  if (response.statusCode >= 300) throw new Error(`${url} answered ${String(response.statusCode)}: ${response.body}`)
}

async function create(service: Service, id: string, dimension: number): Promise<void> {
  await post(service, '/v1/session/create', { session_id: id, dimension })
}

async function turns(service: Service, id: string, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await post(service, '/v1/run', { session_id: id, message: `${textOf(`${id}q${String(turn)}`, 12)}?` })
    await post(service, '/v1/store', { session_id: id, response: `${textOf(`${id}a${String(turn)}`, 12)}.` })
  }
}

async function ingest(
  service: Service,
  id: string,
  { dimension, count, words }: { dimension: number; count: number; words: number }
): Promise<void> {
  await create(service, id, dimension)
  for (let at = 0; at < count; at += 50) {
    const memories = Array.from({ length: Math.min(50, count - at) }, (_, n) => ({ text: textOf(`${id}m${String(at + n)}`, words) }))
    await post(service, `/v1/session/${id}/memories`, { memories })
  }
}

async function controls(service: Service, id: string): Promise<void> {
  await create(service, id, 4_096)
  const embedding = (at: number): number[] => Array.from({ length: 4_096 }, (_, n) => Math.sin(at + n))
  for (let at = 0; at < 64; at++) await post(service, `/v1/session/${id}/anchor`, { embedding: embedding(at) })
  for (let at = 0; at < 100; at++) await post(service, `/v1/session/${id}/trigger`, { embedding: embedding(at) })
}

async function entities(service: Service, id: string): Promise<void> {
  await create(service, id, 384)
  for (let at = 0; at < 1_000; at++)
    await post(service, `/v1/session/${id}/entities`, {
      key: `key${String(at)}`,
      kind: 'function',
      value: `${String(at)} `.padEnd(2_000, 'return value ')
    })
}

/** Deterministic: Numerical Recipes' linear congruential generator, over a vocabulary in which low numbers are more frequent. */
function textOf(seed: string, words: number): string {
  let state = [...seed].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7_919) >>> 0
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
  return Array.from({ length: words }, () => `w${Math.floor(50_000 * next() ** 3).toString(36)}`).join(' ')
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

await main()
