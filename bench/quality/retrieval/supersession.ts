/**
 * Whether the newer of two facts ranks first, through HTTP. The older fact has a given age in days, the newer one thirty days less. Also,
 * whether of two things of one kind the requested one ranks first although the other was mentioned later.
 */
import { table } from '../statistics.js'
import { CHANGED_FACTS } from './changed-facts.js'
import { type AskedService, openService } from './service.js'
import { THINGS_OF_A_KIND } from './things-of-a-kind.js'

const AGES = [60, 400, 2_000]
const MONTH_DAYS = 30
const DAY_SECONDS = 86_400
/** Number of top hits considered. */
const SHOWN = 3

export interface SupersessionFigures {
  readonly age: number
  readonly newerFirst: number
  /** Both are among the top SHOWN, and the older one is explained as superseded. */
  readonly bothShown: number
  readonly explained: number
  /** Of two things of one kind, the requested one precedes the other. */
  readonly askedFirst: number
}

type Pair = readonly [older: string, newer: string, question: string]

interface Found {
  readonly results: readonly { readonly text: string; readonly superseded_by: string | null }[]
}

/** Puts all pairs into one session per list, for each age. */
export async function supersessionFigures(nowSeconds: number, ages: readonly number[] = AGES): Promise<SupersessionFigures[]> {
  const service = await openService()
  try {
    const figures: SupersessionFigures[] = []
    for (const age of ages) {
      const spans = [nowSeconds - age * DAY_SECONDS, nowSeconds - (age - MONTH_DAYS) * DAY_SECONDS] as const
      const count = { age, newerFirst: 0, bothShown: 0, explained: 0, askedFirst: 0 }
      for await (const { older, newer, supersededBy } of places(service, `facts-${age}`, CHANGED_FACTS, spans)) {
        if (newer < older) count.newerFirst++
        if (Math.max(newer, older) < SHOWN) count.bothShown++
        if (supersededBy !== null) count.explained++
      }
      for await (const { older, newer } of places(service, `things-${age}`, THINGS_OF_A_KIND, spans)) if (older < newer) count.askedFirst++
      figures.push(count)
    }
    return figures
  } finally {
    await service.close()
  }
}

interface Places {
  /** Rank from 0; Infinity if it was not found. */
  readonly older: number
  readonly newer: number
  /** What the explanation names as superseding the older one. */
  readonly supersededBy: string | null
}

/** Yields the ranks of both texts for each pair's question. `spans`: epoch seconds from which the older and the newer texts date. */
async function* places(
  service: AskedService,
  sessionId: string,
  pairs: readonly Pair[],
  spans: readonly [number, number]
): AsyncGenerator<Places> {
  await service.call('POST', '/v1/session/create', { session_id: sessionId })
  const memories = spans.flatMap((span, side) => pairs.map((pair, n) => ({ text: pair[side], timestamp: span + n })))
  await service.call('POST', `/v1/session/${sessionId}/memories`, { memories })
  for (const [older, newer, query] of pairs) {
    const body = { query, top_k: 10, explain: true }
    const { results } = (await service.call('POST', `/v1/session/${sessionId}/search`, body)) as Found
    const placeOf = (text: string): number => {
      const place = results.findIndex((result) => result.text === text)
      return place < 0 ? Infinity : place
    }
    yield { older: placeOf(older), newer: placeOf(newer), supersededBy: results[placeOf(older)]?.superseded_by ?? null }
  }
}

export async function measureSupersession(): Promise<string> {
  const figures = await supersessionFigures(Date.now() / 1000)
  const rows = figures.map(({ age, newerFirst, bothShown, explained, askedFirst }) =>
    [`${age} and ${age - MONTH_DAYS} days old`, newerFirst, bothShown, explained, askedFirst].map(String)
  )
  return [
    '### Facts that changed',
    `${CHANGED_FACTS.length} pairs, half English and half German, all in one session, and ${THINGS_OF_A_KIND.length} of two things in another`,
    table(['', 'newer first', `both among the first ${SHOWN}`, 'said in explain', 'of two things the asked one first'], rows)
  ].join('\n\n')
}
