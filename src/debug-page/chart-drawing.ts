/** What a chart's drawing is made of. The places come from `chart-layout.ts`, at build time: charts do not change while a page is open. */
import type { ChartState, ChartTransition } from '../../machines/chart.js'

/** Pixels of the text in boxes and on arrows: of one size, so that its length is known without a browser. */
export const LETTER = 6.7
export const LINE = 15

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Arrow {
  /** Path of the state it leaves; null for the mark where a state starts. */
  readonly source: string | null
  readonly target: string
  readonly points: readonly (readonly [x: number, y: number])[]
  /** One line for each event that leads there. */
  readonly lines: readonly string[]
  /** Left upper corner of the lines; null without any. */
  readonly at: readonly [x: number, y: number] | null
}

/** Pixels from the left upper corner. States by their path, `active.settled`; the machine itself by the empty one. */
export interface ChartDrawing {
  readonly width: number
  readonly height: number
  readonly boxes: Readonly<Record<string, Box>>
  /** The marks where states start. */
  readonly starts: readonly Box[]
  readonly arrows: readonly Arrow[]
}

/** Where a transition goes to another state: its line on the arrow. */
export function toLine({ event, guard }: ChartTransition): string {
  return guard === null ? event : `${event} [${guard}]`
}

/** The lines in a state's box, under its name: what it does when it is entered and left, and on events that leave it where it is. */
export function linesIn(state: ChartState): readonly string[] {
  const acting = state.transitions
    .filter(({ target }) => target === null)
    .map((transition) => `${toLine(transition)} / ${transition.actions.join(', ')}`)
  return [...named('entry', state.entry), ...named('exit', state.exit), ...acting]
}

function named(name: string, actions: readonly string[]): readonly string[] {
  return actions.length === 0 ? [] : [`${name} / ${actions.join(', ')}`]
}
