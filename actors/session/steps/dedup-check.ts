import type { CheckDuplicate, DedupSignal } from '../../../src/domain/commands/session-commands.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { resembling } from '../recall/similar.js'
import { embedded, type Work } from '../record/work.js'
import { dedupOf } from '../turn/take.js'

/** Whether the text would count as an update of a memory. Changes nothing. */
export function* checkDuplicate(work: Work, command: CheckDuplicate): Pieces<DedupSignal> {
  const threshold = command.dedupThreshold ?? work.services.updateThreshold
  const text = embedded(work, command.text)
  const near = yield* resembling(work.state, text, { now: work.now })
  return yield* dedupOf(work.state, text, { threshold, near })
}
