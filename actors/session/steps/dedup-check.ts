import type { CheckDuplicate, DedupSignal } from '../../../src/domain/commands/session-commands.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { embedded, type Work } from '../record/work.js'
import { lookForUpdate } from '../turn/take.js'

/** Whether the text would count as an update of a memory. Changes nothing. */
export function* checkDuplicate(work: Work, command: CheckDuplicate): Pieces<DedupSignal> {
  return yield* lookForUpdate(work, embedded(work, command.text), { threshold: command.dedupThreshold })
}
