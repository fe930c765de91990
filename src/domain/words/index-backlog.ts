/** Backlog of an index: larger additions and removals wait here, in order, and are applied in pieces. */
import { LeanMap, LeanSet } from '../collections/lean-map.js'
import { INDEXED_WORDS_MAX } from '../limits.js'
import { inOneGo, type Pieces } from '../pieces.js'
import { addDocument, addDocumentAtOnce, type Postings, removalPlaces, removeDocuments } from './postings.js'
import { wordsBytes } from '../fairness/session-weight.js'
import { NO_WORDS, type WordList } from './word-list.js'

/**
 * Places that are added or removed immediately between two calls of `settle`: as many as a memory of the most words has, if these are rare.
 */
const PLACES_AT_ONCE = INDEXED_WORDS_MAX

/** Documents removed in one batch; each posting list is then walked once for all of them. */
const LEAVING_MAX = 8_192

type Task = () => Pieces<void>

interface Leaving {
  readonly documents: number[]
  readonly task: Task
}

/** Shared empty list; never written to. */
const NO_TASKS: Task[] = []

/** A class rather than closures: every session has one, and per-instance functions would outweigh the data. */
export class Backlog {
  private readonly arriving = new LeanMap<number, WordList>()
  private readonly going = new LeanSet<number>()
  private tasks = NO_TASKS
  private done = 0
  private current: Pieces<void> | null = null
  private placesLeft = PLACES_AT_ONCE
  private comingBytes = 0
  /** Latest batch of removals. */
  private leaving: Leaving | null = null

  constructor(private readonly postings: Postings) {}

  /** Pending additions less pending removals. */
  added(): number {
    return this.arriving.size - this.going.size
  }

  /** Upper bound on the bytes that pending additions will take, as each of their words may be new. */
  bytes(): number {
    return this.comingBytes
  }

  put(document: number, words: WordList): void {
    this.remove(document)
    const places = words.terms.length
    if (this.isIdle() && places <= this.placesLeft) {
      this.placesLeft -= places
      addDocumentAtOnce(this.postings, document, words)
      return
    }
    this.arriving.set(document, words)
    this.comingBytes += bytesOf(words)
    this.add(places, () => this.letIn(document))
  }

  remove(document: number): void {
    this.finishCurrent()
    const words = this.arriving.get(document)
    if (words !== undefined) {
      this.forget(document, words)
      return
    }
    if (!this.postings.documents.has(document) || this.going.has(document)) return
    this.going.add(document)
    // Consecutive removals at the end of the queue share a batch.
    const { leaving } = this
    const isWaiting = leaving !== null && this.tasks.length > this.done && this.tasks.at(-1) === leaving.task
    if (isWaiting && leaving.documents.length < LEAVING_MAX) {
      leaving.documents.push(document)
      return
    }
    const documents = [document]
    const task = (): Pieces<void> => this.letGo(documents)
    this.leaving = { documents, task }
    this.add(removalPlaces(this.postings, document), task)
  }

  /** Documents waiting to be added, in no particular order. */
  coming(): Iterable<number> {
    return this.arriving.keys()
  }

  isGoing(document: number): boolean {
    return this.going.has(document)
  }

  /** Words of a document that waits to be added; none for one that waits to be removed; undefined for others. */
  wordsOf(document: number): WordList | undefined {
    return this.arriving.get(document) ?? (this.going.has(document) ? NO_WORDS : undefined)
  }

  /** The pending work; null for none. If it is abandoned half-way, the next call continues it. */
  settle(): Pieces<void> | null {
    if (!this.isIdle()) return this.workOff()
    this.placesLeft = PLACES_AT_ONCE
    return null
  }

  private settleAtOnce(): void {
    while (this.work());
  }

  private isIdle(): boolean {
    return this.tasks.length === 0 && this.current === null
  }

  private *workOff(): Pieces<void> {
    while (this.work()) yield
  }

  /** Does one piece of work. Returns false when none is left. */
  private work(): boolean {
    this.current ??= this.tasks[this.done++]?.() ?? null
    if (this.current === null) {
      this.tasks = NO_TASKS
      this.done = 0
      this.leaving = null
      this.placesLeft = PLACES_AT_ONCE
      return false
    }
    if (this.current.next().done === true) this.current = null
    return true
  }

  private add(places: number, task: Task): void {
    if (this.tasks === NO_TASKS) this.tasks = [task]
    else this.tasks.push(task)
    if (this.tasks.length > 1 || places > this.placesLeft) return
    this.placesLeft -= places
    const left = this.placesLeft
    this.settleAtOnce()
    this.placesLeft = left
  }

  /** Finishes the task in progress, before a document may get other words. */
  private finishCurrent(): void {
    if (this.current === null) return
    inOneGo(this.current)
    this.current = null
  }

  private *letIn(document: number): Pieces<void> {
    const words = this.arriving.get(document)
    // It was removed while it waited.
    if (words === undefined) return
    yield* addDocument(this.postings, document, words)
    this.forget(document, words)
  }

  private *letGo(documents: readonly number[]): Pieces<void> {
    yield* removeDocuments(this.postings, documents)
    for (const document of documents) this.going.delete(document)
  }

  private forget(document: number, words: WordList): void {
    this.arriving.delete(document)
    this.comingBytes -= bytesOf(words)
  }
}

function bytesOf({ terms: { length } }: WordList): number {
  return wordsBytes({ words: length, characters: length * TERM_LENGTH, occurrences: length })
}

/** Approximate letters per term of a long text. */
const TERM_LENGTH = 8
