/** The session that stands for a region or an observer: it is named after that one. */
const PREFIX = 'meta-'

export function metaSessionIdOf(ownerId: string): string {
  return `${PREFIX}${ownerId}`
}

/** Whom a meta-session stands for. */
export function ownerIdOf(metaSessionId: string): string {
  return metaSessionId.slice(PREFIX.length)
}
