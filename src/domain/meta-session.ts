/** Id of the meta-session, which represents a region or an observer: derived from the owner's id. */
const PREFIX = 'meta-'

export function metaSessionIdOf(ownerId: string): string {
  return `${PREFIX}${ownerId}`
}

/** Owner of a meta-session. */
export function ownerIdOf(metaSessionId: string): string {
  return metaSessionId.slice(PREFIX.length)
}
