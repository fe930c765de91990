/** Meta-session of an observer: the session that represents it. It is created and deleted with the observer. */
import type { Address } from '../../src/domain/address.js'
import { DIMENSION_DEFAULT } from '../../src/domain/limits.js'
import { metaSessionIdOf } from '../../src/domain/meta-session.js'
import { unlessRefused } from '../asking/answers.js'
import type { Asking } from './asking.js'

const DEADLINE = { deadlineMs: 10_000 }

/**
 * Creates the meta-session, or takes over one that an earlier try of the request has left: both have the same id. If the observer is not
 * created after all, the session belongs to nobody and can be deleted.
 */
export async function makeMetaSession({ ask, address }: Asking, observerId: string): Promise<void> {
  const settings = { dimension: DIMENSION_DEFAULT, useCortex: false, enableTopicSwitch: true, policyVectors: [] }
  const creation = { type: 'session.create', ...settings, backing: 'observer' } as const
  await unlessRefused(ask(metaAddress(address, observerId), creation, DEADLINE), ['already_exists'])
}

/** Deletes the meta-session, if there is one. */
export async function deleteMetaSession({ ask, address }: Asking, observerId: string): Promise<void> {
  await unlessRefused(ask(metaAddress(address, observerId), { type: 'session.delete', isByOwner: true }, DEADLINE), ['session_missing'])
}

function metaAddress({ subject }: Address, observerId: string): Address {
  return { kind: 'session', subject, id: metaSessionIdOf(observerId) }
}
