/**
 * A session of 20,000 turns over two years, with facts planted at known ages: recall by age, of the session as written and after it was
 * evicted and restored. The tiers show how much of it was consolidated.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assistantDialogues } from '../drift/genres.js'
import { createRandom, meanOf, table } from '../statistics.js'
import { CHANGED_FACTS } from './changed-facts.js'
import { openService, type AskedService } from './service.js'

const TURNS = 20_000
const DAYS = 730
const DAY_SECONDS = 86_400
/** Memories per request. Interface, Extensions: at most 1000. */
const BATCH = 1_000
/** Number of age groups, from the oldest, with equally many facts. */
const GROUPS = 5
/** Dialogue sentences joined into one filler: unique by its number, and on the dialogues' topics. */
const JOINED = 2
const SESSION = 'long'

interface Figures {
  readonly at1: number
  readonly at5: number
}

export async function measureLongSession(seed: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quality-'))
  const settings = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(folder, 'session.sqlite')}` }
  try {
    const written = await opened(settings, async (service) => {
      await write(service, seed)
      return [await recallByAge(service), await tiersOf(service)] as const
    })
    const readBack = await opened(settings, (service) => recallByAge(service))
    const rows = written[0].map(({ at1, at5 }, group) => {
      const [from, to] = [group + 1, group].map((step) => Math.round((DAYS * (GROUPS - step)) / GROUPS))
      return [`${from} to ${to} days`, at1, at5, readBack[group]?.at1 ?? 0, readBack[group]?.at5 ?? 0].map((cell) =>
        typeof cell === 'number' ? cell.toFixed(2) : cell
      )
    })
    return [
      '### A session of 20,000 turns',
      `${CHANGED_FACTS.length} facts, ${CHANGED_FACTS.length / GROUPS} of each age, among ${TURNS} turns; tiers ${JSON.stringify(written[1])}`,
      table(['age', 'recall@1', 'recall@5', 'read back: recall@1', 'recall@5'], rows)
    ].join('\n\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function opened<Result>(
  settings: Readonly<Record<string, string>>,
  ask: (service: AskedService) => Promise<Result>
): Promise<Result> {
  const service = await openService(settings)
  try {
    return await ask(service)
  } finally {
    await service.close()
  }
}

async function write(service: AskedService, seed: number): Promise<void> {
  const random = createRandom(seed)
  const said = assistantDialogues().flat()
  const start = Date.now() / 1000 - DAYS * DAY_SECONDS
  const places = new Map(CHANGED_FACTS.map(([text], n) => [Math.floor(((n + 0.5) * TURNS) / CHANGED_FACTS.length), text]))
  const pick = (): string => said[Math.floor(random() * said.length)]?.text ?? ''
  const memories = Array.from({ length: TURNS }, (_, at) => ({
    text: places.get(at) ?? `${Array.from({ length: JOINED }, pick).join(' ')} (${at})`,
    role: places.has(at) || at % 2 === 0 ? 'user' : 'assistant',
    timestamp: start + (at * DAYS * DAY_SECONDS) / TURNS
  }))
  await service.call('POST', '/v1/session/create', { session_id: SESSION })
  for (let at = 0; at < TURNS; at += BATCH) {
    await service.call('POST', `/v1/session/${SESSION}/memories`, { memories: memories.slice(at, at + BATCH) })
  }
}

/** Recall per age group, oldest first. */
async function recallByAge(service: AskedService): Promise<Figures[]> {
  const places: number[] = []
  for (const [text, , query] of CHANGED_FACTS) {
    const found = (await service.call('POST', `/v1/session/${SESSION}/search`, { query, top_k: 5 })) as { results: { text: string }[] }
    places.push(found.results.findIndex((result) => result.text === text))
  }
  return Array.from({ length: GROUPS }, (_, group) => {
    const own = places.slice((group * places.length) / GROUPS, ((group + 1) * places.length) / GROUPS)
    return { at1: meanOf(own.map((place) => (place === 0 ? 1 : 0))), at5: meanOf(own.map((place) => (place >= 0 ? 1 : 0))) }
  })
}

async function tiersOf(service: AskedService): Promise<unknown> {
  return ((await service.call('GET', `/v1/metrics/${SESSION}`)) as { tiers: unknown }).tiers
}
