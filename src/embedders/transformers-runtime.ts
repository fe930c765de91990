/** The only file that imports @xenova/transformers. Loads local files only; `model-download.ts` downloads them. */
import { parse, relative } from 'node:path'
import { AutoModel, AutoTokenizer, env, type PreTrainedTokenizer, Tensor } from '@xenova/transformers'
import { normalised } from '../domain/similarity/vector.js'
import type { ModelFiles } from './model-files.js'
import { groupByLength } from './token-batches.js'

/** Window of a model that states none, that of the original BERT; and the largest used, since attention grows with its square. */
const WINDOW_TOKENS_DEFAULT = 512
const WINDOW_TOKENS_MAX = 2_048

/** Models whose positions start after the padding id (RoBERTa and its family), which shortens the window by as much. */
const OFFSET_POSITION_TYPES: ReadonlySet<string> = new Set(['roberta', 'xlm-roberta', 'camembert', 'mpnet'])

interface Tokenizer {
  /** Longest text in tokens, without special tokens. */
  readonly windowTokens: number
  readonly paddingId: number
  /** Tokens of a text, without special tokens. */
  count(text: string): number
  /** Tokens of a text with special tokens, cut to the window; null for a text without any token. */
  encode(text: string): readonly number[] | null
}

interface Encoder {
  /** Dimension of the vectors. */
  readonly width: number
  /** One unit vector per text, in order; all zeros for a text without any token. */
  encode(texts: readonly string[]): Promise<Float32Array[]>
}

type Sequence = readonly number[]
type Forward = (inputs: { input_ids: Tensor; attention_mask: Tensor }) => Promise<unknown>

/** Loads a model's own tokenizer. Throws the package's errors, which callers must not pass on. */
export async function loadTokenizer(files: ModelFiles, config: ModelConfig): Promise<Tokenizer> {
  const tokenizer = await AutoTokenizer.from_pretrained(localName(files.directory), { local_files_only: true })
  const specials = tokenizer.encode('')
  const leading = leadingSpecials(tokenizer, specials)
  const trailing = specials.length - leading
  const windowTokens = Math.max(1, statedWindow(tokenizer, config) - specials.length)
  return {
    windowTokens,
    paddingId: paddingIdOf(tokenizer),
    count: (text) => Math.max(0, tokenizer.encode(text).length - specials.length),
    encode(text) {
      const ids = tokenizer.encode(text)
      const excess = ids.length - specials.length - windowTokens
      if (ids.length <= specials.length) return null
      return excess <= 0 ? ids : [...ids.slice(0, ids.length - trailing - excess), ...ids.slice(ids.length - trailing)]
    }
  }
}

/**
 * Loads a model for sentence vectors: the mean of its last hidden states over the attention mask, scaled to length 1 (Reimers and Gurevych,
 * "Sentence-BERT", 2019, the pooling of the all-* models).
 */
export async function loadEncoder(files: ModelFiles, config: ModelConfig): Promise<Encoder> {
  const tokenizer = await loadTokenizer(files, config)
  const model: Forward = await AutoModel.from_pretrained(localName(files.directory), {
    quantized: files.precision === 'q8',
    local_files_only: true
  })
  const probe = await pooled(model, [[tokenizer.paddingId]], tokenizer.paddingId)
  const width = (probe[0] as Float32Array).length
  return {
    width,
    async encode(texts) {
      const sequences = texts.map((text) => tokenizer.encode(text))
      const vectors: Float32Array[] = texts.map(() => new Float32Array(width))
      const present = sequences.flatMap((sequence, index) => (sequence === null ? [] : [{ sequence, index }]))
      for (const group of groups(
        present.map(({ sequence }) => sequence.length),
        files
      )) {
        const members = group.map((position) => present[position] as (typeof present)[number])
        const outcome = await pooled(
          model,
          members.map(({ sequence }) => sequence),
          tokenizer.paddingId
        )
        members.forEach(({ index }, position) => (vectors[index] = outcome[position] as Float32Array))
      }
      return vectors
    }
  }
}

/** The fields of a model's config.json that this service reads. */
export interface ModelConfig {
  readonly modelType: string
  readonly positionsMax: number | null
}

/**
 * Dynamic quantisation takes its scale from the whole batch, padding included. A text's vector would then depend on the other texts, which
 * may be another subject's, so quantised models run one text at a time.
 */
function groups(lengths: readonly number[], files: ModelFiles): number[][] {
  return files.precision === 'q8' ? lengths.map((_, index) => [index]) : groupByLength(lengths)
}

async function pooled(model: Forward, sequences: readonly Sequence[], paddingId: number): Promise<Float32Array[]> {
  const longest = Math.max(...sequences.map((sequence) => sequence.length))
  const ids = new BigInt64Array(sequences.length * longest).fill(BigInt(paddingId))
  const mask = new BigInt64Array(ids.length)
  sequences.forEach((sequence, row) => {
    sequence.forEach((id, column) => {
      ids[row * longest + column] = BigInt(id)
      mask[row * longest + column] = 1n
    })
  })
  const dims = [sequences.length, longest]
  const states = hiddenStates(await model({ input_ids: new Tensor('int64', ids, dims), attention_mask: new Tensor('int64', mask, dims) }))
  const width = states.length / ids.length
  return sequences.map((sequence, row) => {
    const start = row * longest * width
    return meanOf(states.subarray(start, start + sequence.length * width), width)
  })
}

/** Sequences are padded on the right, so the masked mean is the mean of a row's first states. */
function meanOf(states: Float32Array, width: number): Float32Array {
  const mean = new Float32Array(width)
  for (let i = 0; i < states.length; i++) mean[i % width] = (mean[i % width] as number) + (states[i] as number)
  return normalised(mean)
}

function hiddenStates(output: unknown): Float32Array {
  const states: unknown = typeof output === 'object' && output !== null && 'last_hidden_state' in output ? output.last_hidden_state : null
  if (!(states instanceof Tensor) || states.dims.length !== 3 || !(states.data instanceof Float32Array)) {
    throw new Error('The model gives no hidden state for each token')
  }
  return states.data
}

/** Special tokens before any text: the common start of the encodings of an empty and a short text. */
function leadingSpecials(tokenizer: PreTrainedTokenizer, specials: readonly number[]): number {
  const sample = tokenizer.encode('a')
  const differing = specials.findIndex((id, index) => sample[index] !== id)
  return differing === -1 ? specials.length : differing
}

/** Tokenizers without padding have no such id, whatever the package's types say; where the mask is 0 any id will do. */
function paddingIdOf(tokenizer: PreTrainedTokenizer): number {
  const id: unknown = tokenizer.pad_token_id
  return typeof id === 'number' ? id : 0
}

/** Window including special tokens. Tokenizers without a limit state an astronomical one. */
function statedWindow(tokenizer: PreTrainedTokenizer, { modelType, positionsMax }: ModelConfig): number {
  const offset = OFFSET_POSITION_TYPES.has(modelType) ? paddingIdOf(tokenizer) + 1 : 0
  const ofModel = (positionsMax ?? WINDOW_TOKENS_DEFAULT) - offset
  const stated: unknown = tokenizer.model_max_length
  const ofTokenizer = typeof stated === 'number' && stated > 0 ? stated : ofModel
  return Math.min(ofModel, ofTokenizer, WINDOW_TOKENS_MAX)
}

/**
 * The package joins a root directory and a model name. With the file system's root as the former, several model directories can be used in
 * one process, which its global setting would not allow.
 */
function localName(directory: string): string {
  const { root } = parse(directory)
  env.localModelPath = root
  env.allowRemoteModels = false
  env.useFSCache = false
  return relative(root, directory)
}
