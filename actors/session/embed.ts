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
    return texts.map((one) => ({ vectors: new Float32Array(one.partEnds.length * dimension), isPending: true, ...one }))
  // A model that has just failed answers these at once.
  const embedded: EmbeddedText[] = []
  for (const one of texts) embedded.push(...(await orPending(embed, [one], dimension)))
  return embedded
}

interface TextPart {
  readonly text: string
  /** Of its text, among all. */
  readonly index: number
  readonly part: number
}

/** Embeds the parts of each text, some at a time. Same order as `texts`. */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly SplitText[],
  { clock, ...how }: Required<EmbedOptions> & { readonly clock: Clock }
): Promise<EmbeddedText[]> {
  const { subject, dimension } = how
  const processor = processorOf(clock)
  const parts = texts.flatMap(partsOf)
  const embedded = texts.map(({ text, partEnds }) => ({ text, partEnds, vectors: NO_VECTORS }))
  // Each vector is put in its place as it comes: all of them are up to some hundred megabytes, and one long step to copy.
  const place = (vector: Float32Array, { index, part }: TextPart) => {
    const one = embedded[index] as (typeof embedded)[number]
    // What was handed out is a copy, and need not be copied once more.
    if (one.partEnds.length === 1) {
      one.vectors = vector
      return
    }
    if (part === 0) one.vectors = new Float32Array(one.partEnds.length * dimension)
    one.vectors.set(vector, part * dimension)
  }
  for (let done = 0; done < parts.length;) {
    const some = partsOfOneSlice(parts, done, dimension)
    const given = some.map(({ text }) => text)
    const vectors = await processor.take(subject, () => embedder.embed(given, how))
    some.forEach((part, at) => place(vectors[at] as Float32Array, part))
    done += some.length
  }
  return embedded
}

const NO_VECTORS: Float32Array = new Float32Array()

/** At least one. */
function partsOfOneSlice(parts: readonly TextPart[], from: number, dimension: number): TextPart[] {
  let end = from
  for (let cost = 0; end < parts.length; end++) {
    cost += (parts[end] as TextPart).text.length + DIMENSION_COST * dimension
    if (cost > COST_A_SLICE && end > from) break
  }
  return parts.slice(from, end)
}

function partsOf({ text, partEnds }: SplitText, index: number): TextPart[] {
  return partEnds.map((end, part) => ({ text: text.slice(part === 0 ? 0 : partEnds[part - 1], end), index, part }))
}
