/** Which memory a given text is already: looked up for many texts of one command, without a walk through all equal texts for each. */
import type { IngestedMemory } from '../../../src/domain/commands/control-commands.js'
import { isAlive } from '../../../src/domain/expiry.js'
import type { Memory, MemoryEntry } from '../../../src/domain/session.js'
import { hashText } from '../record/hash.js'
import type { SessionState } from '../record/state.js'

export interface GivenMemory extends Pick<IngestedMemory, 'text' | 'role' | 'timestamp'> {
  readonly userId?: string | null
}

export interface Twins {
  /**
   * The live memory that is the given one: same text, role and data subject, and the same time where one is given; the oldest of several.
   */
  find(given: GivenMemory): MemoryEntry | undefined
  /** A memory was added, or replaced by one of the same text, role, data subject and time. */
  note(memory: Memory): void
}

/** For one command. Equal texts are walked through once each. */
export function createTwins({ state, now }: { readonly state: SessionState; readonly now: number }): Twins {
  /** By hash and by what makes a memory the given one: ids, the oldest one's. */
  const known = new Map<string, Map<string, string>>()

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
  return {
    find(given) {
      const id = idsOf(hashText(given.text)).get(nameOf(given, given.timestamp))
      const entry = id === undefined ? undefined : state.corpus.get(id)
      return entry !== undefined && isAlive(entry.memory, now) ? entry : undefined
    },
    note
  }
}

function nameOf({ role, userId }: Pick<GivenMemory, 'role' | 'userId'>, timestamp?: number): string {
  return `${role} ${timestamp ?? ''} ${userId == null ? '' : `of ${userId}`}`
}
