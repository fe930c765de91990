/** Connections without a request in progress, bounded in number. */
import type { Socket } from 'node:net'

/** Whose connection it is before a licence has come over it. */
export const NOBODY = ''

interface IdleConnections extends Iterable<Socket> {
  /**
   * Counts a connection from now on; the subject is that of its last request, or `NOBODY`. Beyond the bound one is closed: of those who
   * have most of them, the one that has been idle longest. So a flood of connections costs nobody else theirs.
   */
  add(socket: Socket, subject: string): void
  remove(socket: Socket): void
}

export function createIdleConnections(idleMax: number): IdleConnections {
  /** By subject, longest idle first. */
  const groups = new Map<string, Set<Socket>>()
  const subjects = new Map<Socket, string>()

  function remove(socket: Socket): void {
    const subject = subjects.get(socket)
    if (subject === undefined) return
    subjects.delete(socket)
    const group = groups.get(subject)
    group?.delete(socket)
    if (group?.size === 0) groups.delete(subject)
  }
  function fullest(): Iterable<Socket> {
    let found = new Set<Socket>()
    for (const group of groups.values()) if (group.size > found.size) found = group
    return found
  }

  return {
    add(socket, subject) {
      remove(socket)
      subjects.set(socket, subject)
      const group = groups.get(subject)
      if (group === undefined) groups.set(subject, new Set([socket]))
      else group.add(socket)
      if (subjects.size <= idleMax) return
      const [oldest] = fullest()
      if (oldest === undefined) return
      remove(oldest)
      oldest.destroy()
    },
    remove,
    [Symbol.iterator]: () => subjects.keys()
  }
}
