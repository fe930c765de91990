/** Finds the memory that a given text already is, for many texts of one command, without scanning all equal texts for each. */
import type { IngestedMemory } from '../../../src/domain/commands/control-commands.js'
import { isAlive } from '../../../src/domain/expiry.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { Memory, MemoryEntry } from '../../../src/domain/session.js'
import { hashText } from '../record/hash.js'
import type { SessionState } from '../record/state.js'

export interface GivenMemory extends Pick<IngestedMemory, 'text' | 'role' | 'timestamp'> {
  readonly userId?: string | null
}

export interface Twins {
  /** Looks up the memories with this text, in pieces. Needed once before `find`. */
  read(text: string): Pieces<void>
  /**
   * Returns the live memory with the same text, role and data subject, and with the same time where one is given; the oldest if there are
   * several.
   */
  find(given: GivenMemory): MemoryEntry | undefined
  /** Reads the texts of all given memories. Returns those that are not held, each once, in their order. One given memory per piece. */
  unknown<Given extends GivenMemory>(given: Iterable<Given>): Pieces<Given[]>
  /** Notes a memory that was added, or that replaced one with the same text, role, data subject and time. */
  note(memory: Memory): void
}

/** Memories of one text noted per piece: some tenths of a millisecond. */
const NOTED_A_PIECE = 256

/** Creates the lookup for one command. The memories of each text are scanned once, and each text is hashed once. */
export function createTwins({ state, now }: { readonly state: SessionState; readonly now: number }): Twins {
  /** Ids of the oldest memories, by hash and then by role, data subject and time. */
  const idsByHash = new Map<string, Map<string, string>>()
  const hashes = new Map<string, string>()

  function hashOf(text: string): string {
    const hash = hashes.get(text) ?? hashText(text)
    hashes.set(text, hash)
    return hash
  }

  function* read(text: string): Pieces<void> {
    const hash = hashOf(text)
    if (idsByHash.has(hash)) return
    idsByHash.set(hash, new Map())
    for (const [at, { memory }] of (yield* state.corpus.allByHash(hash)).entries()) {
      if (at % NOTED_A_PIECE === NOTED_A_PIECE - 1) yield
      note(memory)
    }
  }
  function note(memory: Memory): void {
    const ids = idsByHash.get(memory.hash)
    if (ids === undefined || !isAlive(memory, now)) return
    for (const name of [nameOf(memory), nameOf(memory, memory.timestamp)]) if (!ids.has(name)) ids.set(name, memory.id)
  }
  function find(given: GivenMemory): MemoryEntry | undefined {
    const ids = idsByHash.get(hashOf(given.text))
    if (ids === undefined) throw new Error('A text was not read before its twins were looked for')
    const id = ids.get(nameOf(given, given.timestamp))
    const entry = id === undefined ? undefined : state.corpus.get(id)
    return entry !== undefined && isAlive(entry.memory, now) ? entry : undefined
  }
  return {
    read,
    find,
    *unknown<Given extends GivenMemory>(given: Iterable<Given>): Pieces<Given[]> {
      const distinct = new Map<string, Given>()
      for (const one of given) {
        yield* read(one.text)
        if (find(one) === undefined) distinct.set(`${hashOf(one.text)} ${nameOf(one, one.timestamp)}`, one)
        yield
      }
      return [...distinct.values()]
    },
    note
  }
}

function nameOf({ role, userId }: Pick<GivenMemory, 'role' | 'userId'>, timestamp?: number): string {
  return `${role} ${timestamp ?? ''} ${userId == null ? '' : `of ${userId}`}`
}
