/** Texts of a command turned into vectors: in slices, so that no subject waits for another one's. */
import { isDomainError } from '../../src/domain/errors.js'
import type { Pieces } from '../../src/domain/pieces.js'
import { splitInPieces } from '../../src/domain/text/split.js'
import type { Clock, EmbedOptions, Embedder } from '../../src/ports.js'
import { processorOf } from '../scheduling/processor.js'
import type { EmbeddedText } from './record/work.js'

/**
 * What is embedded before the next subject may take its turn: 40 short parts of 384 dimensions, or one of 16,384; some 3 to 25 ms of the
 * lexical embedder.
 */
const COST_A_SLICE = 65_536
/** Cost of a dimension, a character being 1. */
const DIMENSION_COST = 4

export type SplitText = Pick<EmbeddedText, 'text' | 'partEnds'>

/** Where each text is divided for the embedder. */
export function* splitTexts(texts: readonly string[], embedder: Embedder): Pieces<SplitText[]> {
  const split: SplitText[] = []
  for (const text of texts) {
    split.push({ text, partEnds: yield* splitInPieces(text, embedder) })
    yield
  }
  return split
}

/**
 * The texts with zeros for their vectors where the model is there and does not answer, or refuses one: the others then have theirs. A
 * queue that is full, or a deadline, still refuses.
 */
export async function orPending(
  embed: (texts: readonly SplitText[]) => Promise<EmbeddedText[]>,
  texts: readonly SplitText[],
  dimension: number
): Promise<EmbeddedText[]> {
  try {
    return await embed(texts)
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'embedder_unavailable') throw error
  }
  if (texts.length === 1)
    return texts.map((one) => ({ ...one, vectors: new Float32Array(one.partEnds.length * dimension), isPending: true }))
  // A model that has just failed answers these at once.
  const embedded: EmbeddedText[] = []
  for (const one of texts) embedded.push(...(await orPending(embed, [one], dimension)))
  return embedded
}

/** Embeds the parts of each text, some at a time. Same order as `texts`. */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly SplitText[],
  { clock, ...how }: Required<EmbedOptions> & { readonly clock: Clock }
): Promise<EmbeddedText[]> {
  const { subject, dimension } = how
  const processor = processorOf(clock)
  const parts = texts.flatMap(({ text, partEnds }) => textParts(text, partEnds))
  const vectors: Float32Array[] = []
  while (vectors.length < parts.length) {
    const some = partsOfOneTurn(parts, vectors.length, dimension)
    vectors.push(...(await processor.take(subject, () => embedder.embed(some, how))))
  }
  let next = 0
  return texts.map(({ text, partEnds }) => {
    // What was handed out is a copy, and need not be copied once more.
    if (partEnds.length === 1) return { text, partEnds, vectors: vectors[next++] as Float32Array }
    const own = new Float32Array(partEnds.length * dimension)
    partEnds.forEach((_, part) => own.set(vectors[next++] as Float32Array, part * dimension))
    return { text, partEnds, vectors: own }
  })
}

/** At least one. */
function partsOfOneTurn(parts: readonly string[], from: number, dimension: number): string[] {
  let end = from
  for (let cost = 0; end < parts.length; end++) {
    cost += (parts[end] as string).length + DIMENSION_COST * dimension
    if (cost > COST_A_SLICE && end > from) break
  }
  return parts.slice(from, end)
}

function textParts(text: string, ends: readonly number[]): string[] {
  return ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end))
}
