import type { CheckDuplicate, DedupSignal } from '../../../src/domain/session-commands.js'
import { dedupOf } from '../take.js'
import { embedded, type Work } from '../work.js'

/** Whether the text would count as an update of a memory. Changes nothing. */
export function checkDuplicate(work: Work, command: CheckDuplicate): DedupSignal {
  const threshold = command.dedupThreshold ?? work.services.updateThreshold
  return dedupOf(work.state, embedded(work, command.text), { threshold, now: work.now })
}
