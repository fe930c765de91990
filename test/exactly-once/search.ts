/** Explores all states of the model breadth first, so that the first violation found has a shortest story. */
import { keyOf, startStates, stepsFrom } from './model.js'
import type { Bounds, State, Switches } from './state.js'

export interface Search {
  /** Number of different states seen. */
  readonly states: number
  /** How the first violation comes about, one line per step; null if there is none within the bounds. */
  readonly story: readonly string[] | null
}

interface Seen {
  readonly state: State
  readonly label: string
  readonly before: Seen | null
}

export function search(switches: Switches, bounds: Bounds): Search {
  const seen = new Set<string>()
  let layer: Seen[] = []
  const add = (found: Seen, to: Seen[]): void => {
    const key = keyOf(found.state, switches)
    if (seen.has(key)) return
    seen.add(key)
    to.push(found)
  }
  for (const state of startStates(switches))
    add({ state, label: `the first try is on its way to A; the clock of B is ${String(state.skew)} ahead`, before: null }, layer)
  while (layer.length > 0) {
    const following: Seen[] = []
    for (const before of layer) {
      if (before.state.violation !== null) return { states: seen.size, story: storyOf(before) }
      for (const { label, next } of stepsFrom(before.state, switches, bounds)) add({ state: next, label, before }, following)
    }
    layer = following
  }
  return { states: seen.size, story: null }
}

function storyOf(last: Seen): string[] {
  const lines: string[] = []
  for (let at: Seen | null = last; at !== null; at = at.before) lines.unshift(at.label)
  return [...lines, `so ${last.state.violation ?? ''}`]
}
