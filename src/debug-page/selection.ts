import { useEffect, useRef, useState } from 'preact/hooks'
import { keepVisits, readVisits } from './kept.js'
import type { GraphNode } from './topology.js'

/** Maximum history entries that a browser keeps for one window. */
const VISITS_MAX = 50

interface Selection {
  /** Id of the selected part; null for none. */
  readonly selected: string | null
  readonly select: (id: string | null) => void
}

/**
 * Keeps the selection in step with the browser's history: back and forward change it, and a reload restores it if the token is kept. The
 * history itself holds only numbers, so that it reveals nothing once the token is forgotten.
 */
export function useSelection(): Selection {
  const [visits] = useState(readVisits)
  const [place, setPlace] = useState(placeInHistory)
  useEffect(() => {
    const move = (): void => setPlace(placeInHistory())
    addEventListener('popstate', move)
    return () => removeEventListener('popstate', move)
  }, [])
  const selected = visits.get(place) ?? null
  const select = (id: string | null): void => {
    if (id === selected) return
    const next = place + 1
    visits.set(next, id)
    visits.delete(next - VISITS_MAX)
    keepVisits(visits)
    history.pushState({ place: next }, '')
    setPlace(next)
  }
  return { selected, select }
}

/** Returns the position in the history, from 0, where nothing is selected. */
function placeInHistory(): number {
  const { place } = (history.state ?? {}) as { readonly place?: unknown }
  return typeof place === 'number' ? place : 0
}

/** Returns the selected part in its last known state: it may have left the lists, or they may not be loaded yet. */
export function usePart(parts: readonly GraphNode[], selected: string | null): GraphNode | undefined {
  const last = useRef<GraphNode | undefined>(undefined)
  if (selected === null) return undefined
  const told = parts.find(({ id }) => id === selected)
  if (told !== undefined) last.current = told
  return last.current?.id === selected ? last.current : unlisted(selected)
}

function unlisted(id: string): GraphNode {
  const [kind = '', ...label] = id.split(':')
  return { id, kind, label: label.join(':'), state: 'unlisted' }
}
