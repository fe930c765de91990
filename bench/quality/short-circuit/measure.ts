/**
 * How well repeated questions are told from lookalikes, through the whole service with the lexical embedder and the default threshold. Each
 * pair has its own session: the first text is asked and answered, then the second is asked. Precision is the share of rephrasings among the
 * short circuits; recall is the share of rephrasings that are short circuits.
 */
import { readConfig } from '../../../src/config.js'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { createService, type Service } from '../../../src/service.js'
import { createRandom, decided, SEED, table, withInterval, type Decided, type Judged } from '../statistics.js'
import { LANGUAGES, PARTS, readPairs, type Language, type Part, type TextPair } from './pairs.js'

/** Pairs drawn per language by the seed: some seconds of work. */
const UNRELATED_PAIRS = 20_000

const HEAD = ['language', 'pairs', 'traps', 'false hits', 'rephrasings', 'true hits', 'precision', 'recall']

/** Returns a table of all sets, with bootstrap intervals over pairs. */
export async function measureShortCircuit(seed = SEED): Promise<string> {
  const rows: string[][] = []
  const service = await createService(
    readConfig({
      SERVICE_ALLOW_ANONYMOUS: '1',
      SERVICE_RATE_LIMIT_PER_MINUTE: '0',
      SERVICE_EMBEDDER: 'lexical',
      SERVICE_LOG_LEVEL: 'error'
    })
  )
  await service.start()
  try {
    for (const language of LANGUAGES) {
      const pairs = readPairs(language)
      const judged: (Judged & { readonly part: Part })[] = []
      for (const pair of pairs) {
        const { isSame, part } = pair
        judged.push({ isTrue: isSame, part, score: Number(await isShortCircuit(service, pair)) })
      }
      for (const part of PARTS) {
        const own = judged.filter((pair) => pair.part === part)
        if (own.length > 0) rows.push(rowOf(language, part, own))
      }
      rows.push(rowOf(language, 'unrelated', unrelated(pairs, seed)))
    }
  } finally {
    await service.close()
  }
  return `Short circuit: default threshold, lexical embedder, bootstrap over pairs\n\n${table(HEAD, rows)}`
}

/** Whether the second text is short-circuited after the first one was answered. */
export async function isShortCircuit({ http }: Pick<Service, 'http'>, { first, second }: TextPair): Promise<boolean> {
  const run = async (payload: object): Promise<Readonly<Record<string, unknown>>> =>
    (await http.inject({ method: 'POST', url: '/v1/run', payload })).json()
  const { session_id } = await run({ message: first })
  const { short_circuit } = await run({ session_id, message: second, response: 'It is as it was agreed upon.' })
  if (typeof short_circuit !== 'boolean') throw new Error(`No answer for: ${second}`)
  return short_circuit
}

/**
 * Pairs of texts from different lines, judged by the guard alone: the similarity can only reject more. Lines that share a text ask the
 * same.
 */
function unrelated(pairs: readonly TextPair[], seed: number): Judged[] {
  const random = createRandom(seed)
  const draw = (): TextPair => pairs[Math.floor(random() * pairs.length)] as TextPair
  return Array.from({ length: UNRELATED_PAIRS }, () => {
    const one = draw()
    let other = draw()
    while ([other.first, other.second].some((text) => text === one.first || text === one.second)) other = draw()
    return { isTrue: false, score: Number(factsDiffer(one.first, other.second) === null) }
  })
}

function rowOf(language: Language, part: string, judged: readonly Judged[]): string[] {
  const count = (isTrue: boolean, score: number): string =>
    String(judged.filter((pair) => pair.isTrue === isTrue && pair.score >= score).length)
  const shown = (figure: (of: Decided) => number): string =>
    withInterval(
      judged.map((pair) => [pair]),
      (pairs) => figure(decided(pairs, 1))
    )
  const rates = part === 'unrelated' ? ['', ''] : [shown(({ precision }) => precision), shown(({ recall }) => recall)]
  return [language, part, count(false, 0), count(false, 1), count(true, 0), count(true, 1), ...rates]
}
