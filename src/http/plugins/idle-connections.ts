/** Connections without a request in progress, bounded in number. */
import type { Socket } from 'node:net'
import { removeFrom, setOf } from '../../domain/collections/by-key.js'

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
    removeFrom(groups, subject, socket)
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
      setOf(groups, subject).add(socket)
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
