/** Finds verbatim entities by the words they share with a query. */
import { ENTITY_SEARCHED_CHARS_MAX, ENTITY_WORDS_MAX, SEARCH_TERMS_MAX } from '../limits.js'
import { createPace, isPauseDue, type Pieces } from '../pieces.js'
import type { Entity } from '../session.js'
import { sorted } from '../collections/sorting.js'
import { textBytes, type Weight } from '../fairness/weight.js'
import { readText, readTextAtOnce, type TextReading } from '../text/reading.js'

/** A word of the key counts more than one of the body, because the key is the entity's name. */
const KEY_WEIGHT = 2
const VALUE_WEIGHT = 1

/** Words looked up per piece: about a millisecond. */
const LOOKUPS_A_PIECE = 16_384
/** Cost of an entity beside its words, in lookups. */
const LOOKUPS_AN_ENTITY = 4

interface RankedEntity {
  readonly entity: Entity
  /** 0..1: weighted share of the query's words; 1 for an empty query. */
  readonly overlap: number
}

interface EntityWords {
  readonly key: ReadonlySet<string>
  readonly value: ReadonlySet<string>
}

// Entities are replaced, never changed, so their words are cached for as long as they live.
const wordsByEntity = new WeakMap<Entity, EntityWords>()

/**
 * Entities that share at least one word with the query, best first; ties by importance, then newest, then key. An empty query matches all.
 * Only the first SEARCH_TERMS_MAX distinct words of a query count. `reading` is the query's.
 */
export function* rankEntities(query: string, entities: Iterable<Entity>, reading = readTextAtOnce(query)): Pieces<readonly RankedEntity[]> {
  const isEmpty = query.trim() === ''
  let words: ReadonlySet<string> | null = null
  const ranked: RankedEntity[] = []
  const pace = createPace()
  for (const entity of entities) {
    const own = wordsByEntity.get(entity) ?? (yield* readEntity(entity))
    // Most sessions have no entity.
    words ??= queryWords(reading)
    if (isPauseDue(pace, (LOOKUPS_AN_ENTITY + Math.min(words.size, sizeOf(own))) / LOOKUPS_A_PIECE)) yield
    const overlap = isEmpty ? 1 : overlapOf(words, own)
    if (overlap > 0) ranked.push({ entity, overlap })
  }
  return yield* sorted(
    ranked,
    (a, b) =>
      b.overlap - a.overlap ||
      b.entity.importance - a.entity.importance ||
      b.entity.timestamp - a.entity.timestamp ||
      (a.entity.key < b.entity.key ? -1 : 1)
  )
}

/** Looks up the words of the smaller side in the larger one: most entities have few words, and a message may have many. */
function overlapOf(words: ReadonlySet<string>, own: EntityWords): number {
  if (words.size === 0) return 0
  let sum = 0
  if (words.size <= sizeOf(own)) {
    for (const word of words) {
      if (own.key.has(word)) sum += KEY_WEIGHT
      else if (own.value.has(word)) sum += VALUE_WEIGHT
    }
  } else {
    for (const word of own.key) if (words.has(word)) sum += KEY_WEIGHT
    for (const word of own.value) if (words.has(word) && !own.key.has(word)) sum += VALUE_WEIGHT
  }
  return sum / (KEY_WEIGHT * words.size)
}

function sizeOf({ key, value }: EntityWords): number {
  return key.size + value.size
}

/** Reads the words by which an entity is found, in pieces. Cached for as long as the entity lives. */
export function* readEntity(entity: Entity): Pieces<EntityWords> {
  const known = wordsByEntity.get(entity)
  if (known !== undefined) return known
  const words = { key: yield* codeWords(entity.key), value: yield* codeWords(searchedText(entity)) }
  wordsByEntity.set(entity, words)
  return words
}

/** Reuses the cached words of `other` for `entity`, which must have the same key, value and context. */
export function knowAlike(entity: Entity, other: Entity): void {
  const known = wordsByEntity.get(other)
  if (known !== undefined) wordsByEntity.set(entity, known)
}

/** Text of an entity that is searched beside its key. */
export function searchedText({ value, context }: Pick<Entity, 'value' | 'context'>): string {
  return `${value.slice(0, ENTITY_SEARCHED_CHARS_MAX)}\n${context ?? ''}`
}

/** Bytes of heap per word that finds an entity, and fewest characters per word, its stem counted as another word. Measured: 46 to 50. */
const ENTITY_WORD_BYTES = 50
const ENTITY_WORD_CHARS = 2

/** Upper bound on an entity's memory beside its row: the words that find it, which are slices of a copy of their text. */
export function searchableWeight(entity: Pick<Entity, 'key' | 'value' | 'context'>): Weight {
  const text = searchedText(entity)
  const words = Math.min(ENTITY_WORDS_MAX, Math.ceil(text.length / ENTITY_WORD_CHARS)) + Math.ceil(entity.key.length / ENTITY_WORD_CHARS)
  return { heap: textBytes(text) + textBytes(entity.key) + words * ENTITY_WORD_BYTES, buffers: 0 }
}

/** Whole tokens with their camelCase and snake_case parts, case-folded, and stems, so that "users" finds `getUser`. */
function* codeWords(text: string): Pieces<ReadonlySet<string>> {
  const { tokens, counts } = yield* readText(text)
  const words = new Set<string>()
  for (const [known, max] of [
    [tokens, ENTITY_WORDS_MAX / 2],
    [counts.keys(), ENTITY_WORDS_MAX]
  ] as const) {
    for (const word of known) {
      if (words.size === max) break
      words.add(word)
    }
  }
  return words
}

function queryWords({ counts, tokens }: TextReading): ReadonlySet<string> {
  const words = new Set<string>()
  for (const word of counts.size > 0 ? counts.keys() : tokens) {
    if (words.size === SEARCH_TERMS_MAX) break
    words.add(word)
  }
  return words
}
