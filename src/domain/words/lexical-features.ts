/**
 * Feature vectors that compare texts when no learned model is available: stemmed words, word pairs and character n-grams, hashed with a
 * sign into a fixed number of dimensions (Weinberger et al., "Feature hashing for large scale multitask learning", ICML 2009).
 */
import { mix } from '../collections/murmur-hash.js'
import { isNegation } from '../text/stop-words.js'
import { type Term, termsOf } from '../text/terms.js'
import { unitOf } from '../similarity/vector.js'

/** Weights of a term's features, before the sub-linear term count is applied. */
const WORD_WEIGHT = 1
/** Numbers and identifiers count more than words: two short texts that differ in one must stay apart. */
const EXACT_WEIGHT = 1.6
const STOP_WEIGHT = 0.12
const NEGATION_WEIGHT = 0.5
const PART_WEIGHT = 0.5
const PAIR_WEIGHT = 0.35
/** Length of the vector of all character n-grams of one word together. */
const GRAMS_WEIGHT = 0.5
const GRAM_LENGTH_MIN = 3
const GRAM_LENGTH_MAX = 5
/** Positions per word: with a single one, two words that collide would be the same word. */
const WORD_SPREAD = 4
/** Longest word, in UTF-16 units, whose n-grams are used; longer ones are blobs. */
const GRAM_WORD_LENGTH_MAX = 40

/** FNV-1a offsets, one per kind of feature, so that a word and an n-gram of the same letters differ. */
const WORD_SEED = 0x811c9dc5
const PAIR_SEED = 0x2f0b4a3d
const GRAM_SEED = 0x6b43a9b5
const FNV_PRIME = 0x01000193
/** Odd constant that turns one hash into a sequence (2^32 over the golden ratio). */
const GOLDEN = 0x9e3779b9

/** Scratch array of the last dimension used: a fresh one for each text would hasten the next full garbage collection. */
let sums = new Float64Array(0)

/** Feature vector of a text, of unit length and `dimension` (at least 1); all zeros for a text without tokens. `terms`: the text's. */
export function lexicalVector(text: string, dimension: number, terms: readonly Term[] = termsOf(text)): Float32Array {
  const words = wordsOf(terms)
  if (sums.length !== dimension) sums = new Float64Array(dimension)
  const sum = sums.fill(0)
  for (const [term, { base, count, hasGrams }] of words) {
    // Sub-linear: each repetition of a term adds less than the one before.
    const weight = base * (1 + Math.log(count))
    addSpread(sum, hash(term, WORD_SEED), weight)
    if (hasGrams) addGrams(sum, term, weight)
  }
  addPairs(sum, terms, words)
  return unitOf(sum) ?? wordVector(words.keys().next().value, dimension)
}

interface CountedTerm {
  /** Ordinal among the distinct terms. */
  readonly number: number
  /** Weight before the count is applied. */
  readonly base: number
  count: number
  readonly hasGrams: boolean
}

function wordsOf(terms: readonly Term[]): ReadonlyMap<string, CountedTerm> {
  const words = new Map<string, CountedTerm>()
  for (const item of terms) {
    const known = words.get(item.term)
    if (known) known.count++
    else {
      const hasGrams = !item.isStop && item.token.kind === 'word'
      words.set(item.term, { number: words.size, base: baseWeight(item), count: 1, hasGrams })
    }
  }
  return words
}

/** Adds each pair of consecutive content words once. */
function addPairs(sum: Float64Array, terms: readonly Term[], words: ReadonlyMap<string, CountedTerm>): void {
  const added = new Set<number>()
  let previous: string | null = null
  let row = 0
  for (const { term, isStop, token } of terms) {
    if (isStop || token.isPart) continue
    const { number } = words.get(term) as CountedTerm
    const pair = row + number
    if (previous !== null && !added.has(pair)) {
      added.add(pair)
      addSigned(sum, hash(term, hash(' ', hash(previous, PAIR_SEED))), PAIR_WEIGHT)
    }
    previous = term
    row = number * words.size
  }
}

function baseWeight({ token, isStop }: Term): number {
  if (isNegation(token.text)) return NEGATION_WEIGHT
  if (isStop) return STOP_WEIGHT
  const weight = token.kind === 'word' ? WORD_WEIGHT : EXACT_WEIGHT
  return token.isPart ? weight * PART_WEIGHT : weight
}

function addGrams(sum: Float64Array, term: string, weight: number): void {
  const word = `^${term.slice(0, GRAM_WORD_LENGTH_MAX)}$`
  const longest = Math.min(GRAM_LENGTH_MAX, word.length)
  let count = 0
  for (let length = GRAM_LENGTH_MIN; length <= longest; length++) count += word.length - length + 1
  if (count === 0) return
  const each = (weight * GRAMS_WEIGHT) / Math.sqrt(count)
  for (let start = 0; start + GRAM_LENGTH_MIN <= word.length; start++) {
    let value = GRAM_SEED
    for (let i = start; i < word.length && i < start + GRAM_LENGTH_MAX; i++) {
      value = Math.imul(value ^ word.charCodeAt(i), FNV_PRIME)
      if (i - start + 1 >= GRAM_LENGTH_MIN) addSigned(sum, value, each)
    }
  }
}

function addSpread(sum: Float64Array, hashed: number, weight: number): void {
  const each = weight / Math.sqrt(WORD_SPREAD)
  for (let i = 0; i < WORD_SPREAD; i++) addSigned(sum, hashed + Math.imul(i, GOLDEN), each)
}

function addSigned(sum: Float64Array, hashed: number, weight: number): void {
  const bits = mixed(hashed)
  // The high bits choose the position, the lowest the sign.
  const position = Math.floor((bits / 0x100000000) * sum.length)
  sum[position] = (sum[position] as number) + ((bits & 1) === 0 ? weight : -weight)
}

function hash(text: string, seed: number): number {
  let value = seed
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), FNV_PRIME)
  return value
}

/** FNV alone gives short words similar high bits. Returns an unsigned 32-bit number. */
function mixed(value: number): number {
  return mix(value) >>> 0
}

/** Fallback when few dimensions let the features cancel out: the first word alone, since a text with words is never all zeros. */
function wordVector(firstTerm: string | undefined, dimension: number): Float32Array {
  const vector = new Float32Array(dimension)
  if (firstTerm !== undefined) vector[Math.floor((mixed(hash(firstTerm, WORD_SEED)) / 0x100000000) * dimension)] = 1
  return vector
}
