/** Kinds of actors. Each piece of state has one owner, the actor named by its address. */
export const ACTOR_KINDS = ['session', 'cluster', 'region', 'observer', 'network'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** Name of one actor. The subject is part of the address, so that no lookup can cross licence subjects by forgetting a filter. */
export interface Address {
  readonly kind: ActorKind
  /** `sub` of the licence token: any string, never assumed to be short or plain. */
  readonly subject: string
  readonly id: string
}

/** Addresses of several actors of one kind and subject. */
export type Siblings = Readonly<Pick<Address, 'kind' | 'subject'> & { ids: readonly string[] }>

/**
 * Encodes an address as a string, for use as a map key. Injective: the subject is preceded by its length, so different addresses never
 * share a key.
 */
export function addressKey(address: Address): string {
  return `${address.kind}:${address.subject.length}:${address.subject}:${address.id}`
}

/** Owner of everything made while the service runs without licences. No token may claim this subject. */
export const ANONYMOUS_SUBJECT = 'anonymous'

/** Id of an actor that a subject has one of: its observer, its network. */
export const ONLY_ONE = 'one'
