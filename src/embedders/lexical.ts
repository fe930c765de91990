/** The embedder that needs no model: deterministic, local, and the default when no model files are installed. */
import { LEXICAL_MODEL_NAME, LEXICAL_WINDOW_CHARS } from '../domain/similarity/models.js'
import { CHARACTERS_PER_TOKEN, estimatePromptTokens, estimateTokens } from '../domain/text/token-estimate.js'
import { lexicalVector } from '../domain/words/lexical-features.js'
import type { Embedder } from '../ports.js'
import { unavailable } from './cancellation.js'

/** Tokens per vector. A bag of words blurs with length; 256 is also the window of common sentence models. */
const WINDOW_TOKENS = LEXICAL_WINDOW_CHARS / CHARACTERS_PER_TOKEN
/** UTF-16 units embedded before yielding to the event loop: 0.3 ms of English, some 3 ms of Korean, where two syllables are a word. */
const SLICE_CHARACTERS = 2_000

/**
 * Hashed words, word pairs and character n-grams as unit vectors of any dimension. Never uses the network; `embed` throws only when
 * `signal` is aborted.
 */
export function createLexicalEmbedder(): Embedder {
  return {
    modelName: LEXICAL_MODEL_NAME,
    windowTokens: WINDOW_TOKENS,
    countTokens: estimateTokens,
    promptTokens: estimatePromptTokens,
    async embed(texts, { dimension, signal, terms }) {
      const vectors: Float32Array[] = []
      let characters = 0
      for (const text of texts) {
        if (characters > SLICE_CHARACTERS) {
          characters = 0
          await new Promise((resolve) => setImmediate(resolve))
        }
        if (signal?.aborted) throw unavailable('The embedding was cancelled')
        vectors.push(lexicalVector(text, dimension, terms?.get(text)))
        characters += text.length
      }
      return vectors
    }
  }
}
