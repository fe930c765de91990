import { useEffect, useState } from 'preact/hooks'
import type { DebugClient, StoredSession } from './debug-client.js'

/** Milliseconds after the last keystroke before the service is asked. */
const TYPING_MS = 250

/** Text that can be part of an id. */
const PART_OF_ID = /^[A-Za-z0-9_-]{1,128}$/

const NONE: readonly StoredSession[] = []

/** Sessions beyond the listed ones, which the service finds by part of their id; only its first page. */
export function useFoundSessions(client: DebugClient, { words, areMore }: { words: string; areMore: boolean }): readonly StoredSession[] {
  const [found, setFound] = useState(NONE)
  const part = words.trim()
  const isAsked = areMore && PART_OF_ID.test(part)
  useEffect(() => {
    setFound(NONE)
    if (!isAsked) return undefined
    let isCurrent = true
    const typing = setTimeout(() => {
      // The connection reports failures.
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
