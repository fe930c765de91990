/** Writes a real, tiny, untrained BERT encoder with its tokenizer: local model files without a download. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOnnxGraph, floatAttribute, integerAttribute, integersAttribute, type OnnxGraph } from './onnx-graph.js'
import { createVocabulary, tokenizerFiles } from './tiny-tokenizer.js'

export interface TinyBertOptions {
  /** Length of a vector; a multiple of `heads`. Default 384. */
  readonly width?: number
  /** Seed of the random weights. Default 42. */
  readonly seed?: number
  /** Maximum sequence length, including special tokens. Default 512. */
  readonly positionsMax?: number
  /** Name of the weight file; its content has full precision either way. Default `model.onnx`. */
  readonly weights?: 'model.onnx' | 'model_quantized.onnx'
}

const HEADS = 6
/** Standard deviation of position and segment embeddings, relative to 1 for words, so that words decide similarity. */
const POSITION_SPREAD = 0.02
/** Scale of the attention and feed-forward branches: small, so that the residual keeps texts with common words similar. */
const BRANCH_GAIN = 0.3
/** Added to the score of a padded position, as in BERT. */
const MASKED = -10_000

/** Writes `{modelDir}/{id}`: config, tokenizer, weights. Deterministic: equal options give equal bytes. */
export function writeTinyBert(modelDir: string, id: string, options: TinyBertOptions = {}): void {
  const { width = 384, seed = 42, positionsMax = 512, weights = 'model.onnx' } = options
  const vocabulary = createVocabulary()
  const directory = join(modelDir, ...id.split('/'))
  mkdirSync(join(directory, 'onnx'), { recursive: true })
  writeFileSync(join(directory, 'onnx', weights), encoderBytes({ width, seed, positionsMax, words: vocabulary.length }))
  const config = {
    architectures: ['BertModel'],
    model_type: 'bert',
    hidden_size: width,
    num_attention_heads: HEADS,
    num_hidden_layers: 1,
    intermediate_size: 2 * width,
    max_position_embeddings: positionsMax,
    type_vocab_size: 2,
    vocab_size: vocabulary.length,
    pad_token_id: 0,
    hidden_act: 'gelu'
  }
  const files = { 'config.json': config, ...tokenizerFiles(vocabulary, positionsMax) }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), JSON.stringify(content))
}

interface Shape {
  readonly width: number
  readonly seed: number
  readonly positionsMax: number
  readonly words: number
}

/** One layer of Devlin et al., "BERT", 2018: embeddings, self-attention, feed-forward, each with its layer normalisation. */
function encoderBytes({ width, seed, positionsMax, words }: Shape): Buffer {
  const graph = createOnnxGraph('tiny-bert')
  const gaussian = createGaussian(seed)
  const layers = createLayers(graph, gaussian, width)
  const inner = 2 * width
  const gain = 1 / Math.sqrt(width)
  graph.floats('words', [words, width], gaussian)
  graph.floats('positions', [positionsMax, width], () => POSITION_SPREAD * gaussian())
  graph.floats('segments', [2, width], () => POSITION_SPREAD * gaussian())
  graph.integers('zero', [0])
  graph.integers('first', [1])
  graph.integers('second', [2])
  const length = graph.node('Slice', [graph.node('Shape', ['input_ids']), 'first', 'second'])
  const positions = graph.node('Slice', ['positions', 'zero', length, 'zero'])
  const tokens = graph.node('Add', [graph.node('Gather', ['words', 'input_ids']), graph.node('Gather', ['segments', 'token_type_ids'])])
  const embedded = layers.normalise('ln0', graph.node('Add', [tokens, positions]))
  const attended = layers.linear('out', attention(graph, layers, embedded, width), [width, width], BRANCH_GAIN * gain)
  const mixed = layers.normalise('ln1', graph.node('Add', [embedded, attended]))
  const activated = gelu(graph, layers.linear('ff1', mixed, [width, inner], gain))
  const fed = layers.linear('ff2', activated, [inner, width], BRANCH_GAIN / Math.sqrt(inner))
  layers.normalise('ln2', graph.node('Add', [mixed, fed]), 'last_hidden_state')
  return graph.toBytes(['input_ids', 'attention_mask', 'token_type_ids'], 'last_hidden_state', width)
}

type Layers = ReturnType<typeof createLayers>

function createLayers(graph: OnnxGraph, gaussian: () => number, width: number) {
  return {
    linear(name: string, input: string, dims: readonly [number, number], spread: number): string {
      const weights = graph.floats(`${name}.weights`, dims, () => spread * gaussian())
      const bias = graph.floats(`${name}.bias`, [dims[1]], () => 0)
      return graph.node('Add', [graph.node('MatMul', [input, weights]), bias])
    },
    normalise(name: string, input: string, output?: string): string {
      const attributes = [integerAttribute('axis', -1), floatAttribute('epsilon', 1e-12)]
      const gains = graph.floats(`${name}.gain`, [width], () => 1)
      const bias = graph.floats(`${name}.bias`, [width], () => 0)
      return graph.node('LayerNormalization', [input, gains, bias], attributes, output)
    }
  }
}

function attention(graph: OnnxGraph, layers: Layers, input: string, width: number): string {
  const headWidth = width / HEADS
  const gain = 1 / Math.sqrt(width)
  graph.integers('split', [0, 0, HEADS, headWidth])
  graph.integers('merge', [0, 0, width])
  graph.integers('maskAxes', [1, 2])
  graph.floats('one', [1], () => 1)
  graph.floats('masked', [1], () => MASKED)
  graph.floats('headGain', [1], () => 1 / Math.sqrt(headWidth))
  const heads = (name: string, order: readonly number[]): string => {
    const projected = layers.linear(name, input, [width, width], gain)
    return graph.node('Transpose', [graph.node('Reshape', [projected, 'split'])], [integersAttribute('perm', order)])
  }
  const present = graph.node('Cast', [graph.node('Unsqueeze', ['attention_mask', 'maskAxes'])], [integerAttribute('to', 1)])
  const mask = graph.node('Mul', [graph.node('Sub', ['one', present]), 'masked'])
  const products = graph.node('MatMul', [heads('query', [0, 2, 1, 3]), heads('key', [0, 2, 3, 1])])
  const scores = graph.node('Add', [graph.node('Mul', [products, 'headGain']), mask])
  const weights = graph.node('Softmax', [scores], [integerAttribute('axis', -1)])
  const mixed = graph.node('MatMul', [weights, heads('value', [0, 2, 1, 3])])
  return graph.node('Reshape', [graph.node('Transpose', [mixed], [integersAttribute('perm', [0, 2, 1, 3])]), 'merge'])
}

/** x × Φ(x), by the error function. */
function gelu(graph: OnnxGraph, input: string): string {
  graph.floats('rootOfTwo', [1], () => Math.SQRT2)
  graph.floats('half', [1], () => 0.5)
  const error = graph.node('Erf', [graph.node('Div', [input, 'rootOfTwo'])])
  return graph.node('Mul', [graph.node('Mul', [input, graph.node('Add', [error, 'one'])]), 'half'])
}

/** Standard normal numbers (Box and Muller, 1958) from mulberry32. */
function createGaussian(seed: number): () => number {
  let state = seed | 0
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
}
