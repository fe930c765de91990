import { DomainError } from '../../../src/domain/errors.js'
import { isAlive } from '../../../src/domain/expiry.js'
import type { ReadMemory } from '../../../src/domain/session-commands.js'
import type { MemoryView } from '../../../src/domain/memory-view.js'
import { memoryView } from '../views.js'
import type { Work } from '../work.js'

/** One memory in full. Refused with `memory_missing` for an unknown or expired one. */
export function readMemory({ state, now }: Work, command: ReadMemory): MemoryView {
  const entry = state.corpus.allByHash(command.hash).find((one) => isAlive(one.memory, now))
  if (entry === undefined) throw new DomainError('memory_missing', 'Memory not found')
  return memoryView(state, entry)
}
