/** Embedder for local models through ONNX, each in a process of its own. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDimensionFit } from '../domain/similarity/dimension.js'
import { isDomainError } from '../domain/errors.js'
import type { Clock, Logger } from '../ports.js'
import { createBatchQueue } from './batch-queue.js'
import { unavailable } from './cancellation.js'
import { createEncoderProcess } from './encoder-process.js'
import type { ModelFiles } from './model-files.js'
import type { OpenEmbedder } from './open-embedder.js'
import { loadTokenizer, type ModelConfig } from './transformers-runtime.js'

interface TransformersEmbedderOptions {
  /** Name that sessions store; made by `formatModelName`. */
  readonly modelName: string
  readonly files: ModelFiles
  readonly clock: Clock
  readonly logger: Logger
  readonly limits?: Partial<TransformersLimits>
}

export interface TransformersLimits {
  /**
   * Texts per batch. With the tiny test model on two busy cores, 1 gave about 180 texts/s, 32 gave 220, 64 gave 300 and 128 gave 340, but
   * everyone behind waits longer.
   */
  readonly batchTextsMax: number
  /** Estimated tokens per batch: 16 texts that fill a window of 512. */
  readonly batchTokensMax: number
  /** Waiting texts: four times the largest bulk request (1,000). */
  readonly queueTextsMax: number
  /** Milliseconds from the call to its last vector. */
  readonly deadlineMs: number
}

const DEFAULT_LIMITS: TransformersLimits = { batchTextsMax: 64, batchTokensMax: 8_192, queueTextsMax: 4_096, deadlineMs: 30_000 }

/** Characters that one token can plausibly cover. Text beyond the window times this is ignored: it would be cut anyway. */
const CHARACTERS_PER_TOKEN_MAX = 32

/** Characters counted exactly, on the event loop: about 5 ms. The count of a longer text is extrapolated. */
const COUNTED_CHARACTERS_MAX = 8_192

/**
 * Loads one model. A child process computes; this one only counts tokens. `countTokens` is exact up to 8,192 characters and extrapolated
 * beyond, so that a huge text cannot block the event loop. Throws `embedder_unavailable` without the package's messages, which quote paths.
 */
export async function createTransformersEmbedder(options: TransformersEmbedderOptions): Promise<OpenEmbedder> {
  const { modelName, files, clock, logger } = options
  const { tokenizer, encoder } = await load(files, clock, logger)
  const charactersMax = tokenizer.windowTokens * CHARACTERS_PER_TOKEN_MAX
  const queue = createBatchQueue({ ...DEFAULT_LIMITS, ...options.limits, run: encoder.run, clock, concurrency: 1 })
  logger.info({ model_name: modelName, width: encoder.width, window_tokens: tokenizer.windowTokens }, 'Embedding model loaded')
  return {
    modelName,
    windowTokens: tokenizer.windowTokens,
    countTokens(text) {
      if (text.length <= COUNTED_CHARACTERS_MAX) return tokenizer.count(text)
      const counted = tokenizer.count(text.slice(0, COUNTED_CHARACTERS_MAX))
      return Math.ceil((counted / COUNTED_CHARACTERS_MAX) * text.length)
    },
    async embed(texts, { dimension, signal, subject }) {
      const bounded = texts.map((text) => text.slice(0, charactersMax))
      const vectors = await queue.submit(bounded, signal, subject)
      return vectors.map(createDimensionFit(encoder.width, dimension))
    },
    async close() {
      await queue.close()
      await encoder.close()
    }
  }
}

async function load(files: ModelFiles, clock: Clock, logger: Logger) {
  try {
    const config = await readConfig(files)
    const tokenizer = await loadTokenizer(files, config)
    const encoder = await createEncoderProcess({ files, config, clock, logger })
    return { tokenizer, encoder }
  } catch (error) {
    if (isDomainError(error)) throw error
    throw unavailable('The embedding model cannot be loaded')
  }
}

async function readConfig({ directory }: ModelFiles): Promise<ModelConfig> {
  const config: unknown = JSON.parse(await readFile(join(directory, 'config.json'), 'utf8'))
  if (typeof config !== 'object' || config === null) throw new Error('config.json is no object')
  return {
    modelType: 'model_type' in config && typeof config.model_type === 'string' ? config.model_type : '',
    positionsMax:
      'max_position_embeddings' in config && typeof config.max_position_embeddings === 'number' ? config.max_position_embeddings : null
  }
}
