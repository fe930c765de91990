/**
 * Embedders: texts per second of one caller, of many, and of the lexical one. The model is tiny and untrained, because ways of calling are
 * compared, not models.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLexicalEmbedder } from '../../src/embedders/lexical.js'
import { locateModelFiles } from '../../src/embedders/model-files.js'
import { createTransformersEmbedder } from '../../src/embedders/transformers.js'
import type { Embedder } from '../../src/ports.js'
import { createRecordingLogger, machineClock } from '../../test/support/embedder-ports.js'
import { writeTinyBert } from '../../test/support/tiny-bert.js'
import { type Findings, figureOf, histogramOf, type MeasureOptions } from '../figures.js'
import { watchStretches } from '../stretches.js'
import { textOf } from '../texts.js'

const DIMENSION = 384
const ROUNDS = 5
const TEXTS = 1_000
const CALLERS = 64
/** Sentences of the long text among short ones. */
const LONG = 12

export async function measureEmbedding({ isShort }: MeasureOptions): Promise<Findings> {
  const modelDir = mkdtempSync(join(tmpdir(), 'bench-embedding-'))
  writeTinyBert(modelDir, 'bench/tiny')
  const files = await locateModelFiles(modelDir, 'bench/tiny')
  if (files === null) throw new Error('No model was written')
  const local = await createTransformersEmbedder({ modelName: 'bench/tiny', files, clock: machineClock, logger: createRecordingLogger() })
  const lexical = createLexicalEmbedder()
  const count = isShort ? 20 : TEXTS
  const short = Array.from({ length: count }, (_, at) => textOf(at))
  // Every eighth text is long: padded to its length, the rest of its batch would cost as much.
  const mixed = short.map((text, at) => (at % 8 === 0 ? Array.from({ length: LONG }, () => text).join(' ') : text))
  await rate(local, short, 8)
  const stop = watchStretches()
  const samples = { single: [] as number[], many: [] as number[], gain: [] as number[], mixed: [] as number[], lexical: [] as number[] }
  for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
    const single = await rate(local, short, 1)
    const many = await rate(local, short, CALLERS)
    samples.single.push(single)
    samples.many.push(many)
    samples.gain.push(many / single)
    samples.mixed.push((await rate(local, mixed, CALLERS)) / (await rate(local, mixed, 1)))
    samples.lexical.push(await rate(lexical, short, 1))
  }
  const stretches = histogramOf((await stop()).allMs)
  await local.close()
  rmSync(modelDir, { recursive: true })
  return {
    figures: [
      figureOf('embeddings, one text at a time', '/s', samples.single),
      figureOf('embeddings, 64 callers', '/s', samples.many),
      figureOf('64 callers over one', '×', samples.gain),
      figureOf('64 callers over one, every eighth text long', '×', samples.mixed),
      figureOf('lexical embeddings', '/s', samples.lexical)
    ],
    stretches
  }
}

/** Texts per second, with this many concurrent calls of one text each. */
async function rate(embedder: Embedder, texts: readonly string[], callers: number): Promise<number> {
  let next = 0
  const startedMs = performance.now()
  const call = async (): Promise<void> => {
    for (let text = texts[next++]; text !== undefined; text = texts[next++]) await embedder.embed([text], { dimension: DIMENSION })
  }
  await Promise.all(Array.from({ length: callers }, call))
  return texts.length / ((performance.now() - startedMs) / 1_000)
}
