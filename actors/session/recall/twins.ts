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
  /**
   * Returns the live memory with the same text, role and data subject, and with the same time where one is given; the oldest if there are
   * several.
   */
  find(given: GivenMemory): MemoryEntry | undefined
  /** Returns the given memories that are not held, each once, in their order. One given memory per piece. */
  unknown<Given extends GivenMemory>(given: Iterable<Given>): Pieces<Given[]>
  /** Notes a memory that was added, or that replaced one with the same text, role, data subject and time. */
  note(memory: Memory): void
}

/** Creates the lookup for one command. The memories of each text are scanned once, and each text is hashed once. */
export function createTwins({ state, now }: { readonly state: SessionState; readonly now: number }): Twins {
  /** Ids of the oldest memories, by hash and then by role, data subject and time. */
  const known = new Map<string, Map<string, string>>()
  const hashes = new Map<string, string>()

  function hashOf(text: string): string {
    const hash = hashes.get(text) ?? hashText(text)
    hashes.set(text, hash)
    return hash
  }

  function idsOf(hash: string): Map<string, string> {
    const ids = known.get(hash) ?? new Map<string, string>()
    if (known.has(hash)) return ids
    known.set(hash, ids)
    for (const { memory } of state.corpus.allByHash(hash)) note(memory)
    return ids
  }
  function note(memory: Memory): void {
    const ids = idsOf(memory.hash)
    if (!isAlive(memory, now)) return
    for (const name of [nameOf(memory), nameOf(memory, memory.timestamp)]) if (!ids.has(name)) ids.set(name, memory.id)
  }
  function find(given: GivenMemory): MemoryEntry | undefined {
    const id = idsOf(hashOf(given.text)).get(nameOf(given, given.timestamp))
    const entry = id === undefined ? undefined : state.corpus.get(id)
    return entry !== undefined && isAlive(entry.memory, now) ? entry : undefined
  }
  return {
    find,
    *unknown<Given extends GivenMemory>(given: Iterable<Given>): Pieces<Given[]> {
      const distinct = new Map<string, Given>()
      for (const one of given) {
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
