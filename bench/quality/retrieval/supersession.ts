/** Whether the newer of two facts comes first, through HTTP: the older one's age in days, the newer one thirty less. */
import { table } from '../statistics.js'
import { CHANGED_FACTS } from './changed-facts.js'
import { openService } from './service.js'

const AGES = [60, 400, 2_000]
const MONTH_DAYS = 30
const DAY_SECONDS = 86_400
/** What a search shows at least. */
const SHOWN = 3

export interface SupersessionFigures {
  readonly age: number
  readonly newerFirst: number
  /** Both among the first SHOWN, and the older one explained to be superseded. */
  readonly bothShown: number
  readonly explained: number
}

interface Found {
  readonly results: readonly { readonly text: string; readonly superseded_by: string | null }[]
}

/** Every pair of facts in one session, for each age. */
export async function supersessionFigures(nowSeconds: number, ages: readonly number[] = AGES): Promise<SupersessionFigures[]> {
  const service = await openService()
  const figures: SupersessionFigures[] = []
  try {
    for (const age of ages) {
      const sessionId = `facts-${age}`
      const at = (days: number): number => nowSeconds - days * DAY_SECONDS
      await service.call('POST', '/v1/session/create', { session_id: sessionId })
      const older = CHANGED_FACTS.map(([text], n) => ({ text, timestamp: at(age) + n }))
      const newer = CHANGED_FACTS.map(([, text], n) => ({ text, timestamp: at(age - MONTH_DAYS) + n }))
      await service.call('POST', `/v1/session/${sessionId}/memories`, { memories: [...older, ...newer] })
      const count = { age, newerFirst: 0, bothShown: 0, explained: 0 }
      for (const [before, after, query] of CHANGED_FACTS) {
        const body = { query, top_k: 10, explain: true }
        const { results } = (await service.call('POST', `/v1/session/${sessionId}/search`, body)) as Found
        const [first, second] = [after, before].map((text) => results.findIndex((result) => result.text === text)) as [number, number]
        if (first >= 0 && (second < 0 || first < second)) count.newerFirst++
        if (first >= 0 && second >= 0 && Math.max(first, second) < SHOWN) count.bothShown++
        if (results[second]?.superseded_by != null) count.explained++
      }
      figures.push(count)
    }
  } finally {
    await service.close()
  }
  return figures
}

export async function measureSupersession(): Promise<string> {
  const figures = await supersessionFigures(Date.now() / 1000)
  const rows = figures.map(({ age, newerFirst, bothShown, explained }) =>
    [`${age} and ${age - MONTH_DAYS} days old`, newerFirst, bothShown, explained].map(String)
  )
  return [
    '### Facts that changed',
    `${CHANGED_FACTS.length} pairs, half English and half German, all in one session, through HTTP`,
    table(['', 'newer first', `both among the first ${SHOWN}`, 'said in explain'], rows)
  ].join('\n\n')
}
