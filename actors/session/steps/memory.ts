import type { MemoryView } from '../../../src/domain/commands/memory-view.js'
import type { ReadMemory } from '../../../src/domain/commands/session-commands.js'
import { notFound } from '../../../src/domain/errors.js'
import { isAlive } from '../../../src/domain/expiry.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { memoryView } from '../record/views.js'
import type { Work } from '../record/work.js'

/** Returns one memory in full. Throws `memory_missing` for an unknown or expired one. */
export function* readMemory({ state, now }: Work, command: ReadMemory): Pieces<MemoryView> {
  const entry = (yield* state.corpus.allByHash(command.hash)).find((one) => isAlive(one.memory, now))
  if (entry === undefined) throw notFound('Memory')
  return memoryView(state, entry)
}
