/** Steps of a verification: they return what the preparation found, and change nothing. */
import type { ControlReplies, ProbeSession, VerifySession } from '../../../src/domain/commands/control-commands.js'
import type { Work } from '../record/work.js'

export function probeSession({ prepared }: Work, _: ProbeSession): ControlReplies['session.probe'] {
  if (prepared.probes === undefined) throw new Error('A session was not probed before its step')
  return { probes: prepared.probes }
}

export function verifySession({ prepared }: Work, _: VerifySession): ControlReplies['session.verify'] {
  if (prepared.verification === undefined) throw new Error('A session was not verified before its step')
  return prepared.verification
}
