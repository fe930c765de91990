/** Embeds the texts of a command in slices, so that no subject waits long for another's texts. */
import { hasCode } from '../../src/domain/errors.js'
import type { Pieces } from '../../src/domain/pieces.js'
import { splitInPieces } from '../../src/domain/text/split.js'
import type { Clock, EmbedOptions, Embedder } from '../../src/ports.js'
import { processorOf } from '../scheduling/processor.js'
import type { EmbeddedText } from './record/work.js'

/**
 * Cost of one slice, after which another subject may take its turn: 40 short parts with 384 dimensions, or one with 16,384; some 3 to 25 ms
 * with the lexical embedder.
 */
const COST_A_SLICE = 65_536
/** Cost of a dimension; a character costs 1. */
const DIMENSION_COST = 4

export type SplitText = Pick<EmbeddedText, 'text' | 'partEnds'>

/** Splits each text into the parts that the embedder takes. */
export function* splitTexts(texts: readonly string[], embedder: Embedder): Pieces<SplitText[]> {
  const split: SplitText[] = []
  for (const text of texts) {
    split.push({ text, partEnds: yield* splitInPieces(text, embedder) })
    yield
  }
  return split
}

/**
 * Embeds the texts. Where the model does not answer, or refuses a text, that text gets zero vectors and is pending; the others get theirs.
 * Rejects for a full queue or a passed deadline.
 */
export async function embedOrMarkPending(
  embed: (texts: readonly SplitText[]) => Promise<EmbeddedText[]>,
  texts: readonly SplitText[],
  dimension: number
): Promise<EmbeddedText[]> {
  try {
    return await embed(texts)
  } catch (error) {
    if (!hasCode(error, 'embedder_unavailable')) throw error
  }
  if (texts.length === 1)
    return texts.map((one) => ({ vectors: new Float32Array(one.partEnds.length * dimension), isPending: true, ...one }))
  // One by one: if the model itself is away, it refuses these at once.
  const embedded: EmbeddedText[] = []
  for (const one of texts) embedded.push(...(await embedOrMarkPending(embed, [one], dimension)))
  return embedded
}

interface TextPart {
  readonly text: string
  /** Index of its text. */
  readonly index: number
  readonly part: number
}

/** Embeds the parts of each text, slice by slice. Resolves in the order of `texts`. */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly SplitText[],
  { clock, ...how }: Required<EmbedOptions> & { readonly clock: Clock }
): Promise<EmbeddedText[]> {
  const { subject, dimension } = how
  const processor = processorOf(clock)
  const parts = texts.flatMap(partsOf)
  const embedded = texts.map(({ text, partEnds }) => ({ text, partEnds, vectors: NO_VECTORS }))
  // Each vector is copied when it arrives: all together may have some hundred megabytes, too long for one step.
  const place = (vector: Float32Array, { index, part }: TextPart) => {
    const one = embedded[index] as (typeof embedded)[number]
    // The embedder hands out copies: a single part's vector needs no further copy.
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

/** Returns the parts of the next slice, at least one. */
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
