/** Lengths of texts in characters, as callers in other languages count them: one character per code point. */

/** Whether a text has more than `lengthMax` characters. Counts no further than necessary. */
export function isLongerThan(text: string, lengthMax: number): boolean {
  if (text.length <= lengthMax) return false
  return text.length > 2 * lengthMax || unitsOf(text, lengthMax) < text.length
}

/** The first `lengthMax` characters of a text, without a letter that is cut off from its marks; the text itself if it has no more. */
export function beginningOf(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : upTo(text, unitsOf(text, lengthMax))
}

/** The text before an offset in UTF-16 units, without what the offset would cut in two. */
export function upTo(text: string, offset: number): string {
  return text.slice(0, clusterStart(text, offset))
}

/** UTF-16 units before and after a cut that are looked at. No letter, flag or emoji with its marks is longer. */
const CLUSTER_UNITS_MAX = 64
const CLUSTERS = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Start of what a reader takes for the character at an offset: the offset itself between two of these. The first one of a text, and one
 * with more marks than any letter has, are cut between code points.
 */
export function clusterStart(text: string, offset: number): number {
  if (offset <= 0 || offset >= text.length) return Math.min(Math.max(offset, 0), text.length)
  const from = Math.max(0, offset - CLUSTER_UNITS_MAX)
  const around = text.slice(from, offset + 2)
  const { index } = CLUSTERS.segment(around).containing(offset - from) as Intl.SegmentData
  return index > 0 ? from + index : codePointStart(text, offset)
}

function codePointStart(text: string, offset: number): number {
  return (text.codePointAt(offset - 1) as number) > 0xffff ? offset - 1 : offset
}

/** UTF-16 units of the first `characters` characters. */
function unitsOf(text: string, characters: number): number {
  let at = 0
  for (let counted = 0; at < text.length && counted < characters; counted++) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1
  return at
}
