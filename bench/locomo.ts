/**
 * Replays long conversations through HTTP and measures retrieval: `npm run bench:locomo -- FILE [--via turns|ingest]`.
 * FILE is in the format of LoCoMo. One speaker's turns are runs, the other's are stored as answers; then every question is
 * searched for. Recall@k by the official definition: the share of a question's evidence turns inside the top k, 1 where there
 * is no evidence, averaged over all questions.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/config.js'
import { createService } from '../src/service.js'

interface DialogueTurn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

interface Question {
  readonly question: string
  readonly evidence: readonly string[]
  readonly category: number
}

interface Sample {
  readonly sample_id: string
  readonly conversation: Readonly<Record<string, unknown>>
  readonly qa: readonly Question[]
}

interface Recalls {
  questions: number
  at5: number
  at10: number
}

const CUTS = { at5: 5, at10: 10 } as const

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { via: { type: 'string', default: 'turns' } } })
  const [file] = positionals
  if (file === undefined) throw new Error('usage: bench/locomo.ts FILE [--via turns|ingest]')
  const samples = JSON.parse(readFileSync(file, 'utf8')) as Sample[]
  const config = readConfig({
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_PORT: '0',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_EMBEDDER: process.env['SERVICE_EMBEDDER'] ?? 'lexical',
    SERVICE_LOG_LEVEL: 'error'
  })
  const service = await createService(config)
  const url = await service.listen()
  const total = emptyRecalls()
  const byCategory = new Map<number, Recalls>()
  try {
    for (const sample of samples) {
      const own = await measure(url, sample, { via: values.via, byCategory })
      print(sample.sample_id, own)
      add(total, own)
    }
  } finally {
    await service.close()
  }
  for (const [category, recalls] of [...byCategory].sort(([a], [b]) => a - b)) print(`category ${String(category)}`, recalls)
  print('all', total)
}

async function measure(url: string, sample: Sample, options: { via: string; byCategory: Map<number, Recalls> }): Promise<Recalls> {
  const sessionId = `locomo-${sample.sample_id.replace(/[^A-Za-z0-9_-]/g, '_')}`
  await call(url, 'POST', '/v1/session/create', { session_id: sessionId })
  const turns = timeSlicesOf(sample)
  if (options.via === 'ingest') await ingest(url, sessionId, turns)
  else await replay(url, sessionId, turns)
  const turnsByText = new Map<string, string[]>()
  for (const turn of turns) turnsByText.set(textOf(turn), [...(turnsByText.get(textOf(turn)) ?? []), turn.dia_id])

  const recalls = emptyRecalls()
  for (const { question, evidence, category } of sample.qa) {
    const body = { query: question, top_k: CUTS.at10 }
    const found = (await call(url, 'POST', `/v1/session/${sessionId}/search`, body)) as { results: { text: string }[] }
    const ids = found.results.map((result) => turnsByText.get(result.text) ?? [])
    const own = { questions: 1, at5: recall(ids.slice(0, CUTS.at5).flat(), evidence), at10: recall(ids.flat(), evidence) }
    add(recalls, own)
    const inCategory = options.byCategory.get(category) ?? emptyRecalls()
    add(inCategory, own)
    options.byCategory.set(category, inCategory)
  }
  return recalls
}

/** The first speaker asks, the other answers: a run for each turn of the one, a store for each of the other. */
async function replay(url: string, sessionId: string, turns: readonly DialogueTurn[]): Promise<void> {
  const asking = turns[0]?.speaker
  for (const turn of turns) {
    const text = textOf(turn)
    if (turn.speaker === asking) await call(url, 'POST', '/v1/run', { session_id: sessionId, message: text })
    else await call(url, 'POST', '/v1/store', { session_id: sessionId, response: text })
  }
}

async function ingest(url: string, sessionId: string, turns: readonly DialogueTurn[]): Promise<void> {
  const asking = turns[0]?.speaker
  const memories = turns.map((turn) => ({ text: textOf(turn), role: turn.speaker === asking ? 'user' : 'assistant' }))
  for (let at = 0; at < memories.length; at += 1000) {
    await call(url, 'POST', `/v1/session/${sessionId}/memories`, { memories: memories.slice(at, at + 1000) })
  }
}

async function call(url: string, method: string, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${path} answered ${String(response.status)}: ${await response.text()}`)
  return response.json()
}

function timeSlicesOf({ conversation }: Sample): DialogueTurn[] {
  const numbers = Object.keys(conversation).flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
  return numbers.sort((a, b) => Number(a) - Number(b)).flatMap((number) => conversation[`session_${number}`] as DialogueTurn[])
}

function textOf(turn: DialogueTurn): string {
  const caption = turn.blip_caption === undefined ? '' : ` [shares ${turn.blip_caption}]`
  return `${turn.speaker}: ${turn.text}${caption}`
}

function recall(found: readonly string[], evidence: readonly string[]): number {
  if (evidence.length === 0) return 1
  return evidence.filter((id) => found.includes(id)).length / evidence.length
}

function emptyRecalls(): Recalls {
  return { questions: 0, at5: 0, at10: 0 }
}

function add(sum: Recalls, more: Recalls): void {
  sum.questions += more.questions
  sum.at5 += more.at5
  sum.at10 += more.at10
}

function print(name: string, { questions, at5, at10 }: Recalls): void {
  const share = (value: number): string => (value / questions).toFixed(3)
  process.stdout.write(`${name.padEnd(14)} ${String(questions).padStart(5)} questions  recall@5 ${share(at5)}  recall@10 ${share(at10)}\n`)
}

await main()
