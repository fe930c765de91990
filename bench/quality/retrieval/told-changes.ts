/**
 * Changes stated in other words than the old fact ("I live in Cork", "I moved to Galway"), corrections of the last statement, and as many
 * changes of something else, through HTTP. Written before the rules for them, by somebody who had not read any.
 */
import { readFileSync } from 'node:fs'
import { table } from '../statistics.js'
import { type AskedService, openService } from './service.js'

const LANGUAGES = ['english', 'german'] as const
/** Age in days of the older and the newer statements. */
const AGES = [60, 30] as const
const DAY_SECONDS = 86_400
const SHOWN = 3
const ANSWER = { english: 'Alright.', german: 'In Ordnung.' } as const

interface Told {
  readonly older: string
  readonly newer: string
  readonly question: string
}

export interface ToldFigures {
  readonly language: (typeof LANGUAGES)[number]
  readonly group: string
  readonly pairs: number
  /** The newer one ranks before the older one, and before all others. */
  readonly newerFirst: number
  readonly newerLeads: number
  /** The newer one is among the top SHOWN. */
  readonly newerShown: number
  /** The older one is reported as superseded. */
  readonly explained: number
}

/** Uses one session per group. Each correction follows what it corrects, after an answer. */
export async function toldFigures(nowSeconds: number): Promise<ToldFigures[]> {
  const service = await openService()
  try {
    const figures: ToldFigures[] = []
    for (const language of LANGUAGES) {
      for (const [group, told] of readGroups(language)) {
        const session = `${language}-${group.replaceAll(' ', '-')}`
        if (group.endsWith('corrections')) await tellInTurn(service, session, told, ANSWER[language])
        else await tellApart(service, session, told, nowSeconds)
        figures.push({ language, group, ...(await figuresOf(service, session, told)) })
      }
    }
    return figures
  } finally {
    await service.close()
  }
}

export async function measureToldChanges(): Promise<string> {
  const rows = (await toldFigures(Date.now() / 1000)).map(({ language, group, ...counts }) => [
    language,
    group,
    ...Object.values(counts).map(String)
  ])
  const head = [
    'language',
    'the newer one',
    'pairs',
    'newer before older',
    'newer first of all',
    `newer among the first ${SHOWN}`,
    'said in explain'
  ]
  return ['### Changes told in other words, and corrections', table(head, rows)].join('\n\n')
}

/** Format: `# group`, then lines `older | newer | question`. */
function readGroups(language: (typeof LANGUAGES)[number]): Map<string, Told[]> {
  const groups = new Map<string, Told[]>()
  let last: Told[] = []
  for (const line of readFileSync(new URL(`sets/told-${language}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')) {
    if (line.startsWith('# ')) {
      groups.set(line.slice(2), (last = []))
      continue
    }
    const [older, newer, question] = line.split(' | ')
    if (older === undefined || newer === undefined || question === undefined) throw new Error(`not a change: ${line}`)
    last.push({ older, newer, question })
  }
  return groups
}

async function tellApart(service: AskedService, session: string, told: readonly Told[], nowSeconds: number): Promise<void> {
  await service.call('POST', '/v1/session/create', { session_id: session })
  const memories = AGES.flatMap((age, side) =>
    told.map(({ older, newer }, n) => ({ text: side === 0 ? older : newer, timestamp: nowSeconds - age * DAY_SECONDS + n }))
  )
  await service.call('POST', `/v1/session/${session}/memories`, { memories })
}

async function tellInTurn(service: AskedService, session: string, told: readonly Told[], answer: string): Promise<void> {
  for (const { older, newer } of told) {
    await service.call('POST', '/v1/run', { session_id: session, message: older })
    await service.call('POST', '/v1/run', { session_id: session, message: newer, response: answer })
    await service.call('POST', '/v1/store', { session_id: session, response: answer })
  }
}

interface Found {
  readonly results: readonly { readonly text: string; readonly superseded_by: string | null }[]
}

async function figuresOf(service: AskedService, session: string, told: readonly Told[]): Promise<Omit<ToldFigures, 'language' | 'group'>> {
  const counts = { pairs: told.length, newerFirst: 0, newerLeads: 0, newerShown: 0, explained: 0 }
  for (const { older, newer, question } of told) {
    const body = { query: question, top_k: 12, explain: true }
    const { results } = (await service.call('POST', `/v1/session/${session}/search`, body)) as Found
    const placeOf = (text: string): number => {
      const place = results.findIndex((result) => result.text === text)
      return place < 0 ? Infinity : place
    }
    const [a, b] = [placeOf(newer), placeOf(older)]
    if (a < b) counts.newerFirst++
    if (a === 0) counts.newerLeads++
    if (a < SHOWN) counts.newerShown++
    if ((results[b]?.superseded_by ?? null) !== null) counts.explained++
  }
  return counts
}
