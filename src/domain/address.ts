/** What an actor owns. One piece of state has one owner, named by its address. */
export const ACTOR_KINDS = ['session', 'cluster', 'region', 'observer', 'network'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/**
 * Names one actor. The subject is part of the address itself, so that nothing
 * can be looked up across licence subjects by forgetting a filter.
 */
export interface Address {
  readonly kind: ActorKind
  /** `sub` of the licence token; any string, never trusted to be short or plain. */
  readonly subject: string
  readonly id: string
}

/** Addresses of several actors of one kind and subject. */
export type Siblings = Readonly<Pick<Address, 'kind' | 'subject'> & { ids: readonly string[] }>

/**
 * One string per address, for maps. Injective: the lengths of the free parts
 * are written before them, so no two addresses share a key whatever they contain.
 */
export function addressKey(address: Address): string {
  return `${address.kind}:${address.subject.length}:${address.subject}:${address.id}`
}

/** Owner of everything that is made while the service runs without licences. No token may claim it. */
export const ANONYMOUS_SUBJECT = 'anonymous'

/** Id of what a subject has one of: its observer and its network. */
export const ONLY_ONE = 'one'
