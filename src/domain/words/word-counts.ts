/** Occurrences of the words of a query in documents and their neighbours: the loops in which a word search spends its time. */
import { countAt, documentAt, type Posting, type Postings } from './postings.js'

/**
 * How soon repetitions of a word stop counting, and how much a long text is held back: BM25 (Robertson and Zaragoza,
 * "The Probabilistic Relevance Framework: BM25 and Beyond", 2009). Chosen on the development half of LoCoMo:
 * recall@10 lies between .799 and .802 for 0.3 to 0.8 and 0.15 to 0.5, and falls at the usual 1.2 and 0.75.
 */
export const REPETITION = 0.5
const LENGTH_SHARE = 0.3

/**
 * What a word in a neighbouring text counts as one of its own: an answer often lacks the words of its question, and a
 * topic is named once and then spoken of. As fields of BM25F, so that a word that both hold counts little more than once.
 * Development half of LoCoMo, words alone, recall@5 and @10: none .564, .632; one neighbour each side .656, .741;
 * two .695, .772; three .694, .775. Half to one and a half times these weights change recall@10 by less than .008.
 */
const REACH = { previous: [0.5, 0.25], next: [0.2, 0.1] } as const

/** Neighbours of a document, that lend it their words; below 0 at an end. */
export interface Links {
  previous(document: number): number
  next(document: number): number
}

/** Occurrences of one word in each document; dense, because a usual word is in most of them. */
export interface Counts {
  /** Counts some places of a word for their documents and, in shares, for the neighbours. `near`: only those of marked documents. */
  add(form: { readonly posting: Posting; readonly share: number }, places: Range, near: Uint8Array | null): void
  /** Documents with a count. */
  touched(): number
  /** Adds what counts of some documents to their sums, and sets the counts back to 0. The documents of new sums go to `found`. */
  drain(touched: Range, share: number, found: number[]): void
  /** To be called when all are drained. */
  forget(): void
}

export interface Range {
  readonly from: number
  readonly to: number
}

/** Room to count in, all zeros but while a search is under way. */
export interface Tally {
  /** By document. */
  readonly counts: Float64Array
  readonly sums: Float64Array
  readonly marks: Uint8Array
  readonly touched: Int32Array
}

/** That of the last search, for the next one: of many documents it is megabytes, and collecting it would take longer than the search. */
let spare: Tally | null = null

export function takeTally(bound: number): Tally {
  const found = spare
  spare = null
  if (found !== null && found.touched.length >= bound) return found
  return {
    counts: new Float64Array(bound),
    sums: new Float64Array(bound),
    marks: new Uint8Array(bound),
    touched: new Int32Array(bound)
  }
}

/** Only of a tally that is all zeros again. */
export function giveTally(tally: Tally): void {
  spare = tally
}

// The loops stand in plain functions, over numbers alone.
export function createCounts(
  { lengths, totalLength, size }: Postings,
  { counts, sums, touched }: Tally,
  { links, isHidden }: { readonly links: Links; readonly isHidden?: ((document: number) => boolean) | undefined }
): Counts {
  const lengthShare = LENGTH_SHARE / Math.max(1, totalLength / size)
  const [afterNext, afterSecond] = REACH.previous
  const [beforeNext, beforeSecond] = REACH.next
  let touchedCount = 0

  function count(document: number, amount: number): void {
    const known = counts[document] as number
    if (known === 0) touched[touchedCount++] = document
    counts[document] = known + amount
  }

  return {
    touched: () => touchedCount,
    add({ posting, share }, { from, to }, near) {
      const { places } = posting
      for (let i = from; i < to; i++) {
        const place = places[i] as number
        const document = documentAt(place)
        if (near !== null && near[document] === 0) continue
        if (isHidden?.(document) === true) continue
        const amount = (share * countAt(posting, place)) / (1 - LENGTH_SHARE + lengthShare * (lengths[document] ?? 0))
        count(document, amount)
        const after = links.next(document)
        if (after >= 0) {
          count(after, amount * afterNext)
          const second = links.next(after)
          if (second >= 0) count(second, amount * afterSecond)
        }
        const before = links.previous(document)
        if (before >= 0) {
          count(before, amount * beforeNext)
          const second = links.previous(before)
          if (second >= 0) count(second, amount * beforeSecond)
        }
      }
    },
    drain({ from, to }, share, found) {
      for (let i = from; i < to; i++) {
        const document = touched[i] as number
        const times = counts[document] as number
        const sum = sums[document] as number
        if (sum === 0) found.push(document)
        sums[document] = sum + (share * times * (REPETITION + 1)) / (times + REPETITION)
        counts[document] = 0
      }
    },
    forget() {
      touchedCount = 0
    }
  }
}
