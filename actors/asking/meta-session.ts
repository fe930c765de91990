/** Meta-session of a region or an observer: the session that represents it, made and deleted with it. */
import type { Address } from '../../src/domain/address.js'
import type { CreateSession } from '../../src/domain/commands/session-commands.js'
import { metaSessionIdOf } from '../../src/domain/meta-session.js'
import { ANSWER_MS_MAX, unlessRefused } from './answers.js'
import type { Ask } from './ask.js'

/** Whom a meta-session represents. */
export interface MetaOwner {
  readonly subject: string
  /** Id of the region or of the observer: a UUID of its own, so that no other session has the id that derives from it. */
  readonly ownerId: string
}

/** Milliseconds for one answer of a meta-session. */
export const META_DEADLINE = { deadlineMs: ANSWER_MS_MAX }

/** Settings of a meta-session that nobody has chosen, beside its dimension and its model. */
export const PLAIN_SETTINGS = { useCortex: false, enableTopicSwitch: true, policyVectors: [] } as const

/** Returns the address of an owner's meta-session. */
export function metaAddress({ subject, ownerId }: MetaOwner): Address {
  return { kind: 'session', subject, id: metaSessionIdOf(ownerId) }
}

/**
 * Creates the meta-session, or takes over one that an earlier try has left. Throws what the session refuses. If its owner is not created
 * after all, the session belongs to nobody and can be deleted.
 */
export async function makeMetaSession(ask: Ask, owner: MetaOwner, settings: Omit<CreateSession, 'type'>): Promise<void> {
  await unlessRefused(ask(metaAddress(owner), { type: 'session.create', ...settings }, META_DEADLINE), ['already_exists'])
}

/** Deletes the meta-session, if there is one. */
export async function deleteMetaSession(ask: Ask, owner: MetaOwner): Promise<void> {
  await unlessRefused(ask(metaAddress(owner), { type: 'session.delete', isByOwner: true }, META_DEADLINE), ['session_missing'])
}
