/**
 * `npm run bench:golden -- DATA`: checks that retrieval results are unchanged. Feeds the conversations of `locomo-dev.json` in DATA, asks
 * their questions, and compares all answers with `bench/results/golden.json`; `--write` stores them. Only hashes are stored: of ids in
 * order, and of each turn's judgement. No texts.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { readArguments, refuseArguments } from '../src/tools/arguments.js'
import { readConfig } from '../src/config.js'
import { createSystemClock } from '../src/platform/clock.js'
import { createService, type Service } from '../src/service.js'
import { DATA_FILES } from './quality/drift/genres.js'
import { type LocomoSample, sittingsOf, textOf } from './quality/retrieval/locomo.js'

const STORED = new URL('results/golden.json', import.meta.url)
const TOP_K = 20
/** Every n-th question is restricted to one speaker's texts, and every n-th is run as well. */
const FILTERED_EVERY = 5
const RUN_EVERY = 10

interface Golden {
  /** By conversation. */
  readonly turns: Readonly<Record<string, readonly string[]>>
  readonly questions: Readonly<Record<string, readonly string[]>>
}

type Call = (method: 'GET' | 'POST', url: string, payload?: object) => Promise<unknown>

const USAGE = `npm run bench:golden -- DATA [--write]
  DATA    the folder of locomo-dev.json
  --write stores what is found instead of comparing it`

async function main(): Promise<void> {
  const { positionals, values } = readArguments(USAGE, { allowPositionals: true, options: { write: { type: 'boolean', default: false } } })
  const [data] = positionals
  if (data === undefined) refuseArguments(USAGE, 'DATA is not given')
  const found = await ask(JSON.parse(readFileSync(`${data}/${DATA_FILES.locomo}`, 'utf8')) as LocomoSample[])
  if (values.write) {
    writeFileSync(STORED, `${JSON.stringify(found, null, 1)}\n`)
    return
  }
  const stored = JSON.parse(readFileSync(STORED, 'utf8')) as Golden
  const turns = differences(stored.turns, found.turns)
  const questions = differences(stored.questions, found.questions)
  process.stdout.write(`turns that differ: ${turns}\nquestions that differ: ${questions}\n`)
  if (!turns.startsWith('0 ') || !questions.startsWith('0 ')) process.exitCode = 1
}

function differences(stored: Golden['turns'], found: Golden['turns']): string {
  const different = Object.entries(stored).flatMap(([id, hashes]) =>
    hashes.flatMap((hash, at) => (hash === found[id]?.[at] ? [] : [`${id}:${String(at)}`]))
  )
  const total = Object.values(stored).reduce((sum, hashes) => sum + hashes.length, 0)
  return `${String(different.length)} of ${String(total)} ${different.slice(0, 20).join(' ')}`
}

async function ask(samples: readonly LocomoSample[]): Promise<Golden> {
  const turns: Record<string, string[]> = {}
  const questions: Record<string, string[]> = {}
  for (const [number, sample] of samples.entries()) {
    const { service, tick } = await openService()
    const call = callerOf(service)
    const id = sample.sample_id
    // Every second session uses its topics, so that both paths are covered.
    await call('POST', '/v1/session/create', { session_id: id, use_cortex: number % 2 === 1 })
    turns[id] = await feed(call, { id, sample, tick })
    questions[id] = await search(call, { id, questions: sample.qa.map(({ question }) => question) })
    await service.close()
  }
  return { turns, questions }
}

/** A separate service, so that ids and times are reproducible. */
async function openService(): Promise<{ readonly service: Service; readonly tick: () => void }> {
  const config = readConfig({
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_LOG_LEVEL: 'error'
  })
  let now = 1_700_000_000
  const service = await createService(config, { clock: { ...createSystemClock(), now: () => now } })
  await service.start()
  return { service, tick: () => void (now += 1) }
}

function callerOf({ http }: Service): Call {
  return async (method, url, payload) => {
    const response = await http.inject({ method, url, ...(payload !== undefined && { payload }) })
    if (response.statusCode !== 200) throw new Error(`${url} answered ${String(response.statusCode)}: ${response.body}`)
    return response.json<unknown>()
  }
}

/** One speaker's turns are run, the other's are stored as answers. */
async function feed(
  call: Call,
  { id, sample, tick }: { readonly id: string; readonly sample: LocomoSample; readonly tick: () => void }
): Promise<string[]> {
  const turns = sittingsOf(sample).flat()
  const hashes: string[] = []
  for (const turn of turns) {
    tick()
    const body = { session_id: id, user_id: turn.speaker }
    const isRun = turn.speaker === turns[0]?.speaker
    const answer = isRun
      ? await call('POST', '/v1/run', { ...body, message: textOf(turn) })
      : await call('POST', '/v1/store', { ...body, response: textOf(turn) })
    hashes.push(hashOf(judged(answer as Record<string, unknown>)))
  }
  return hashes
}

async function search(call: Call, { id, questions }: { readonly id: string; readonly questions: readonly string[] }): Promise<string[]> {
  const { memories } = (await call('GET', `/v1/session/${id}/memories?limit=1`)) as { memories: { user_id: string }[] }
  const hashes: string[] = []
  for (const [at, query] of questions.entries()) {
    const filter = at % FILTERED_EVERY === 0 ? { filter: { user_id: memories[0]?.user_id } } : {}
    const body = { query, top_k: TOP_K, explain: true, ...filter }
    const { results } = (await call('POST', `/v1/session/${id}/search`, body)) as { results: { memory_hash: string; score: number }[] }
    const run = at % RUN_EVERY === 0 ? [judged((await call('POST', '/v1/run', { session_id: id, message: query })) as never)] : []
    hashes.push(hashOf([inOrder(results.map(({ memory_hash: hash, score }) => [hash, rounded(score)])), ...run]))
  }
  return hashes
}

/** Best first. Equal scores, whose order may depend on the last bit of a sum, are ordered by hash. */
function inOrder(results: [string, number][]): [string, number][] {
  return results.sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
}

/** Lines of a context block without their numbers, with equal ones in a fixed order. */
function linesOf(context: string): string[] {
  return context
    .split('\n')
    .map((line) => line.replace(/^ {2}\d+\./, ''))
    .sort()
}

/** The answer without random ids, and with numbers rounded. */
function judged(answer: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => {
      if (key === 'memory_id' || key === 'matched_id') return value === null ? null : 'some'
      if (key === 'context') return linesOf(value as string)
      return typeof value === 'number' ? rounded(value) : value
    })
  )
}

function rounded(value: number): number {
  return Math.round(value * 1e5) / 1e5
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 10)
}

await main()
