/** Data of a chart's drawing. `chart-layout.ts` computes the positions at build time, because charts do not change while a page is open. */
import type { ChartState, ChartTransition } from '../../machines/chart.js'

/** Pixels per character and per line. The text has a fixed size, so its length is known without a browser. */
export const LETTER = 6.7
export const LINE = 15

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Arrow {
  /** Path of the state it leaves; null for the mark of an initial state. */
  readonly source: string | null
  readonly target: string
  readonly points: readonly (readonly [x: number, y: number])[]
  /** One line per event that leads there. */
  readonly lines: readonly string[]
  /** Top left corner of the lines; null if there are none. */
  readonly at: readonly [x: number, y: number] | null
}

/** In pixels from the top left corner. States are keyed by path, as `active.settled`; the machine itself by the empty path. */
export interface ChartDrawing {
  readonly width: number
  readonly height: number
  readonly boxes: Readonly<Record<string, Box>>
  /** Marks of the initial states. */
  readonly starts: readonly Box[]
  readonly arrows: readonly Arrow[]
}

/** Label on the arrow of a transition to another state. */
export function toLine({ event, guard }: ChartTransition): string {
  return guard === null ? event : `${event} [${guard}]`
}

/** Lines in a state's box, below its name: its entry and exit actions, and the events that do not leave it. */
export function linesIn(state: ChartState): readonly string[] {
  const acting = state.transitions
    .filter(({ target }) => target === null)
    .map((transition) => `${toLine(transition)} / ${transition.actions.join(', ')}`)
  return [...named('entry', state.entry), ...named('exit', state.exit), ...acting]
}

function named(name: string, actions: readonly string[]): readonly string[] {
  return actions.length === 0 ? [] : [`${name} / ${actions.join(', ')}`]
}
