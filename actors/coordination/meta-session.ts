/** Meta-session of a region or an observer: the session that represents it, made and deleted with it. */
import type { Address } from '../../src/domain/address.js'
import type { CreateSession } from '../../src/domain/commands/session-commands.js'
import { metaSessionIdOf } from '../../src/domain/meta-session.js'
import { ANSWER_MS_MAX, unlessRefused } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'

/** Milliseconds for one answer of a meta-session. */
export const META_DEADLINE = { deadlineMs: ANSWER_MS_MAX }

/** Settings of a meta-session that nobody has chosen, beside its dimension and its model. */
export const PLAIN_SETTINGS = { useCortex: false, enableTopicSwitch: true, policyVectors: [] } as const

/** Returns the address of the meta-session of a region or an observer with this id, a UUID: no other session has the id derived from it. */
export function metaAddress({ subject, id }: Pick<Address, 'subject' | 'id'>): Address {
  return { kind: 'session', subject, id: metaSessionIdOf(id) }
}

/**
 * Creates the meta-session, or takes over one that an earlier try has left. Throws what the session refuses. If its owner is not created
 * after all, the session belongs to nobody and can be deleted.
 */
export async function makeMetaSession(ask: Ask, address: Address, settings: Omit<CreateSession, 'type'>): Promise<void> {
  await unlessRefused(ask(address, { type: 'session.create', ...settings }, META_DEADLINE), ['already_exists'])
}

/** Deletes the meta-session, if there is one. */
export async function deleteMetaSession(ask: Ask, address: Address): Promise<void> {
  await unlessRefused(ask(address, { type: 'session.delete', isByOwner: true }, META_DEADLINE), ['session_missing'])
}
