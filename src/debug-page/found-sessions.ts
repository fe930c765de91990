import { useEffect, useState } from 'preact/hooks'
import type { DebugClient, StoredSession } from './debug-client.js'

/** Milliseconds after the last letter before the service is asked. */
const TYPING_MS = 250

/** What can be a part of an id. */
const PART_OF_ID = /^[A-Za-z0-9_-]{1,128}$/

const NONE: readonly StoredSession[] = []

/** Sessions beyond those that the page lists, found by the service: by a part of their id, the first page of them. */
export function useFoundSessions(client: DebugClient, { words, areMore }: { words: string; areMore: boolean }): readonly StoredSession[] {
  const [found, setFound] = useState(NONE)
  const part = words.trim()
  const isAsked = areMore && PART_OF_ID.test(part)
  useEffect(() => {
    setFound(NONE)
    if (!isAsked) return undefined
    let isCurrent = true
    const typing = setTimeout(() => {
      // A failure is told of by the connection.
      client.sessions(null, part).then(
        ({ items }) => isCurrent && setFound(items),
        () => undefined
      )
    }, TYPING_MS)
    return () => {
      isCurrent = false
      clearTimeout(typing)
    }
  }, [client, isAsked, part])
  return found
}
