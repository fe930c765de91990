import type { CheckDuplicate, DedupSignal } from '../../../src/domain/commands/session-commands.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { lookAlike } from '../recall/similar.js'
import { embedded, type Work } from '../record/work.js'
import { dedupOf } from '../turn/take.js'

/** Whether the text would count as an update of a memory. Changes nothing. */
export function* checkDuplicate(work: Work, command: CheckDuplicate): Pieces<DedupSignal> {
  const threshold = command.dedupThreshold ?? work.services.updateThreshold
  const text = embedded(work, command.text)
  yield* lookAlike(work.state, text)
  return dedupOf(work.state, text, { threshold, now: work.now })
}
