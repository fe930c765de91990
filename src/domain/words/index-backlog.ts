/** What an index has still to take in and to let go: what is much waits here, in order, and is worked off in pieces. */
import { INDEXED_WORDS_MAX } from '../limits.js'
import { inOneGo, type Pieces } from '../pieces.js'
import { addDocument, addDocumentAtOnce, type Postings, removalPlaces, removeDocuments } from './postings.js'
import { wordsBytes } from './session-weight.js'
import type { WordList } from './word-list.js'

/** Places that are taken in or let go at once between two settlings: one memory of the most words, where its words are rare. */
const PLACES_AT_ONCE = INDEXED_WORDS_MAX

/** Documents that go together: each list that they stand in is gone through once for all of them. */
const LEAVING_MAX = 8_192

export interface Backlog {
  /** Documents that are to come, less those that are to go. */
  added(): number
  /** At most what those that are to come will take: each of their words may be new. */
  bytes(): number
  put(document: number, words: WordList): void
  remove(document: number): void
  clear(): void
  /** Words of a document that is to come. None of one that is to go. */
  wordsOf(document: number): WordList | undefined
  /** What there is to do; null for nothing. Given up half-way, it is left to the next settling. */
  settle(): Pieces<void> | null
  settleAtOnce(): void
}

type Task = Pieces<void>

export function createBacklog(postings: Postings): Backlog {
  const coming = new Map<number, WordList>()
  const going = new Set<number>()
  const tasks: (() => Task)[] = []
  let done = 0
  let current: Task | null = null
  let placesLeft = PLACES_AT_ONCE
  let bytes = 0
  /** The last ones that were to go. */
  let leaving: { readonly documents: number[]; readonly task?: () => Task } = { documents: [] }

  function* letIn(document: number): Task {
    const words = coming.get(document)
    // It was removed while it waited.
    if (words === undefined) return
    yield* addDocument(postings, document, words)
    forget(document, words)
  }
  function* letGo(documents: readonly number[]): Task {
    yield* removeDocuments(postings, documents)
    for (const document of documents) going.delete(document)
  }
  function forget(document: number, words: WordList): void {
    coming.delete(document)
    bytes -= bytesOf(words)
  }
  /** One piece of work. False when there is none left. */
  function work(): boolean {
    current ??= tasks[done++]?.() ?? null
    if (current === null) {
      tasks.length = 0
      done = 0
      placesLeft = PLACES_AT_ONCE
      return false
    }
    if (current.next().done === true) current = null
    return true
  }
  function add(places: number, task: () => Task): void {
    tasks.push(task)
    if (tasks.length > 1 || current !== null || places > placesLeft) return
    placesLeft -= places
    const left = placesLeft
    settleAtOnce()
    placesLeft = left
  }
  function settleAtOnce(): void {
    while (work());
  }
  /** What has begun is brought to its end before the document may have other words. */
  function finishCurrent(): void {
    if (current === null) return
    inOneGo(current)
    current = null
  }
  function remove(document: number): void {
    finishCurrent()
    const words = coming.get(document)
    if (words !== undefined) return forget(document, words)
    if (postings.documents[document] === undefined || going.has(document)) return
    going.add(document)
    // Several at the end of the row go together.
    const isWaiting = tasks.length > done && tasks.at(-1) === leaving.task
    if (isWaiting && leaving.documents.length < LEAVING_MAX) {
      leaving.documents.push(document)
      return
    }
    const documents = [document]
    const task = () => letGo(documents)
    leaving = { documents, task }
    add(removalPlaces(postings, document), task)
  }

  return {
    added: () => coming.size - going.size,
    bytes: () => bytes,
    put(document, words) {
      remove(document)
      const places = words.terms.length
      if (tasks.length === 0 && places <= placesLeft) {
        placesLeft -= places
        addDocumentAtOnce(postings, document, words)
        return
      }
      coming.set(document, words)
      bytes += bytesOf(words)
      add(places, () => letIn(document))
    },
    remove,
    clear() {
      tasks.length = 0
      done = 0
      current = null
      coming.clear()
      going.clear()
      bytes = 0
    },
    wordsOf: (document) => coming.get(document) ?? (going.has(document) ? NO_WORDS : undefined),
    settle() {
      if (tasks.length === 0 && current === null) {
        placesLeft = PLACES_AT_ONCE
        return null
      }
      return (function* () {
        while (work()) yield
      })()
    },
    settleAtOnce
  }
}

const NO_WORDS: WordList = { terms: [], counts: [], length: 0 }

function bytesOf({ terms: { length } }: WordList): number {
  return wordsBytes({ words: length, characters: length * TERM_LENGTH, occurrences: length })
}

/** Letters of a term in a long text, about. */
const TERM_LENGTH = 8
