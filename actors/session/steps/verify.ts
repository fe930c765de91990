/** Steps of a verification: they return what the preparation found, and change nothing. */
import type { ControlReplies, ProbeSession, VerifySession } from '../../../src/domain/commands/control-commands.js'
import { needed, type Work } from '../record/work.js'

export function probeSession({ prepared }: Work, _: ProbeSession): ControlReplies['session.probe'] {
  return { probes: needed(prepared.probes) }
}

export function verifySession({ prepared }: Work, _: VerifySession): ControlReplies['session.verify'] {
  return needed(prepared.verification)
}
