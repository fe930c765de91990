/**
 * Embedders side by side: one text at a time, many callers at once, lexical; and what embedding does to the event loop.
 * The model is tiny and untrained: rates compare ways of calling it, not models. Run: `node --import tsx bench/embedders.ts`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createLexicalEmbedder } from '../src/embedders/lexical.js'
import { locateModelFiles } from '../src/embedders/model-files.js'
import { createTransformersEmbedder } from '../src/embedders/transformers.js'
import type { Embedder } from '../src/ports.js'
import { createRecordingLogger, machineClock } from '../test/support/embedder-ports.js'
import { writeTinyBert } from '../test/support/tiny-bert.js'

const DIMENSION = 384
const TEXTS = Array.from({ length: 1_000 }, (_, index) => `the quick brown fox jumps over ${index} lazy dogs and pays for coffee in paris`)

/** Texts a second with `callers` calls of one text each under way at once. */
async function rate(embedder: Embedder, callers: number): Promise<number> {
  let next = 0
  const startedMs = performance.now()
  const call = async (): Promise<void> => {
    for (let text = TEXTS[next++]; text !== undefined; text = TEXTS[next++]) await embedder.embed([text], { dimension: DIMENSION })
  }
  await Promise.all(Array.from({ length: callers }, call))
  return TEXTS.length / ((performance.now() - startedMs) / 1000)
}

const modelDir = mkdtempSync(join(tmpdir(), 'bench-'))
writeTinyBert(modelDir, 'bench/tiny')
const files = await locateModelFiles(modelDir, 'bench/tiny')
if (files === null) throw new Error('No model was written')
const logger = createRecordingLogger()
const local = await createTransformersEmbedder({ modelName: 'bench/tiny', files, clock: machineClock, logger })
await rate(local, 8)

const single = await rate(local, 1)
const batched = await rate(local, 64)
const lexical = await rate(createLexicalEmbedder(), 1)

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const long = 'the quick brown fox jumps over the lazy dog and '.repeat(20)
for (let round = 0; round < 10; round++) await local.embed(Array<string>(64).fill(long), { dimension: DIMENSION })
delay.disable()
await local.close()
rmSync(modelDir, { recursive: true })

console.log(`machine           ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, node ${process.version}`)
console.log(`one by one        ${single.toFixed(0)} texts/s`)
console.log(`64 callers        ${batched.toFixed(0)} texts/s, ${(batched / single).toFixed(1)} times one by one`)
console.log(`lexical           ${lexical.toFixed(0)} texts/s, ${(lexical / batched).toFixed(1)} times 64 callers`)
const [middle, most] = [delay.percentile(50) / 1e6, delay.max / 1e6]
console.log(`event-loop delay  p50 ${middle.toFixed(1)} ms, most ${most.toFixed(1)} ms, while 64 texts of 200 tokens are embedded`)
