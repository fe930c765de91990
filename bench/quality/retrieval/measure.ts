/**
 * Recall on long conversations through HTTP. One speaker's turns are run, the other's are stored as answers. Then every question is
 * searched for, and also run so that its context block can be read, and deleted again. Recall as the benchmark defines it: the share of a
 * question's evidence turns among the top k, or whole in the block; 1 without evidence; the mean over all questions.
 */
import { readFileSync } from 'node:fs'
import { DATA_FILES } from '../drift/genres.js'
import { meanOf, table, withInterval } from '../statistics.js'
import { createBm25 } from './bm25.js'
import { sittingsOf, textOf, type LocomoSample } from './locomo.js'
import { openService, type AskedService } from './service.js'

/** The default token budget of a block, and two larger ones. */
const BUDGETS = [350, 1_000, 2_000]
/** Interface, Context block: characters per token when there is no tokenizer. */
const CHARACTERS_PER_TOKEN = 4
/** Characters that a block needs besides its texts: `[Memory context | …]` with the title below it, and the prefix of a line. */
const FRAME_CHARACTERS = 80
const LINE_CHARACTERS = 14

export interface QuestionRecalls {
  readonly at5: number
  readonly at10: number
  readonly block: number
  readonly bm25At5: number
  readonly bm25At10: number
  readonly bm25Block: number
}

export async function measureRetrieval(data: string, budgets: readonly number[] = BUDGETS): Promise<string> {
  const samples = JSON.parse(readFileSync(`${data}/${DATA_FILES.locomo}`, 'utf8')) as LocomoSample[]
  const rows: string[][] = []
  for (const budget of budgets) {
    const service = await openService({ SERVICE_CONTEXT_TOKENS: String(budget) })
    try {
      const recalls: QuestionRecalls[][] = []
      for (const sample of samples) recalls.push(await recallsOf(service, sample, budget))
      const cell = (figure: keyof QuestionRecalls): string =>
        withInterval(recalls, (questions) => meanOf(questions.map((question) => question[figure])))
      if (rows.length === 0) rows.push(['recall@5', cell('at5'), cell('bm25At5')], ['recall@10', cell('at10'), cell('bm25At10')])
      rows.push([`evidence in a block of ${budget} tokens`, cell('block'), cell('bm25Block')])
    } finally {
      await service.close()
    }
  }
  const questions = samples.reduce((sum, { qa }) => sum + qa.length, 0)
  return [
    '### Retrieval, lexical embedder',
    `${samples.length} conversations of LoCoMo, ${questions} questions, through HTTP`,
    table(['', 'service', 'BM25, within the same tokens'], rows)
  ].join('\n\n')
}

async function recallsOf(service: AskedService, sample: LocomoSample, budget: number): Promise<QuestionRecalls[]> {
  const sessionId = `locomo-${sample.sample_id.replace(/[^A-Za-z0-9_-]/g, '_')}`
  const turns = sittingsOf(sample).flat()
  const texts = turns.map(textOf)
  await service.call('POST', '/v1/session/create', { session_id: sessionId })
  for (const [at, text] of texts.entries()) {
    if (turns[at]?.speaker === turns[0]?.speaker) await service.call('POST', '/v1/run', { session_id: sessionId, message: text })
    else await service.call('POST', '/v1/store', { session_id: sessionId, response: text })
  }
  const rank = createBm25(texts)
  const recalls: QuestionRecalls[] = []
  for (const { question, evidence } of sample.qa) {
    const share = (found: readonly string[]): number => {
      if (evidence.length === 0) return 1
      const ids = new Set(turns.flatMap(({ dia_id: id }, at) => (found.includes(texts[at] ?? '') ? [id] : [])))
      return evidence.filter((id) => ids.has(id)).length / evidence.length
    }
    const found = await search(service, sessionId, question)
    const context = await contextOf(service, sessionId, question)
    const ranked = rank(question).map((at) => texts[at] ?? '')
    recalls.push({
      at5: share(found.slice(0, 5)),
      at10: share(found),
      block: share(texts.filter((text) => context.includes(oneLine(text)))),
      bm25At5: share(ranked.slice(0, 5)),
      bm25At10: share(ranked.slice(0, 10)),
      bm25Block: share(within(budget, ranked))
    })
  }
  return recalls
}

async function search(service: AskedService, sessionId: string, query: string): Promise<string[]> {
  const found = (await service.call('POST', `/v1/session/${sessionId}/search`, { query, top_k: 10 })) as { results: { text: string }[] }
  return found.results.map(({ text }) => text)
}

/** Returns the context that a run of the question gives; the question is then deleted. */
async function contextOf(service: AskedService, sessionId: string, message: string): Promise<string> {
  const { context } = (await service.call('POST', '/v1/run', { session_id: sessionId, message })) as { context: string }
  const { results } = (await service.call('POST', `/v1/session/${sessionId}/search`, { query: message, top_k: 5 })) as {
    results: { text: string; memory_hash: string }[]
  }
  const hash = results.find(({ text }) => text === message)?.memory_hash
  if (hash !== undefined) await service.call('DELETE', `/v1/session/${sessionId}/memories/${hash}`)
  return context
}

/** The best whole texts that fit into the budget, in order. */
function within(budget: number, texts: readonly string[]): string[] {
  let left = budget * CHARACTERS_PER_TOKEN - FRAME_CHARACTERS
  return texts.filter((text) => {
    const fits = left >= 0 && text.length + LINE_CHARACTERS <= left
    if (fits) left -= text.length + LINE_CHARACTERS
    else left = -1
    return fits
  })
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
