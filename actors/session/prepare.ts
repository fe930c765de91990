/** The slow part of a command, done before its step: turning texts into vectors. */
import { splitText } from '../../src/domain/text/split.js'
import type { Embedder } from '../../src/ports.js'

/** One text as its session keeps it. */
export interface EmbeddedText {
  readonly text: string
  /** End offsets of the parts, ascending, the last one the length of the text. */
  readonly partEnds: readonly number[]
  /** One unit vector a part, one after another. */
  readonly vectors: Float32Array
}

/** Splits each text to the embedder's window and embeds all parts in one call. Same order as `texts`. */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  options: { readonly dimension: number; readonly signal: AbortSignal },
): Promise<EmbeddedText[]> {
  if (texts.length === 0) return []
  const ends = texts.map((text) => splitText(text, embedder))
  const parts = texts.flatMap((text, at) => partsOf(text, ends[at] ?? []))
  const vectors = await embedder.embed(parts, options)
  let next = 0
  return texts.map((text, at) => {
    const partEnds = ends[at] ?? []
    const own = new Float32Array(partEnds.length * options.dimension)
    partEnds.forEach((_, part) => own.set(vectors[next++] as Float32Array, part * options.dimension))
    return { text, partEnds, vectors: own }
  })
}

function partsOf(text: string, ends: readonly number[]): string[] {
  return ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end))
}
