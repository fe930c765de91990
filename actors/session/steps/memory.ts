import { DomainError } from '../../../src/domain/errors.js'
import type { MemoryView, ReadMemory } from '../../../src/domain/session-commands.js'
import { isLive, memoryView } from '../views.js'
import type { Work } from '../work.js'

/** One memory in full. Refused with `memory_missing` for an unknown or expired one. */
export function readMemory({ state, now }: Work, command: ReadMemory): MemoryView {
  const entry = state.corpus.allByHash(command.hash).find((one) => isLive(one, now))
  if (entry === undefined) throw new DomainError('memory_missing', 'Memory not found')
  return memoryView(state, entry)
}
