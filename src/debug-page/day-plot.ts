/** Draws days on a canvas. A separate module, loaded on demand, because it is larger than all other views together. */
import uPlot from 'uplot'
import type { Colours } from './colours.js'
import type { Day } from './session-client.js'

const HEIGHT = 180
const WIDTH_MIN = 240

/** Draws into the element, at its width, until the returned function is called. */
export type DrawDays = (element: HTMLElement, drawn: { readonly days: readonly Day[]; readonly colours: Colours }) => () => void

export const drawDays: DrawDays = (element, { days, colours }) => {
  const chart = new uPlot(optionsFor(widthOf(element), spanOf(days), colours), dataOf(days), element)
  const observer = new ResizeObserver(() => chart.setSize({ width: widthOf(element), height: HEIGHT }))
  observer.observe(element)
  return () => {
    observer.disconnect()
    chart.destroy()
  }
}

function widthOf(element: HTMLElement): number {
  return Math.max(WIDTH_MIN, element.clientWidth)
}

/** Includes every day from the first to the last; one without turns is a gap in the lines. */
function dataOf(days: readonly Day[]): uPlot.AlignedData {
  const byTime = new Map(days.map((day) => [secondsOf(day.date), day]))
  const [first, last] = spanOf(days)
  const times: number[] = []
  for (let at = first; at <= last; at += SECONDS_PER_DAY) times.push(at)
  const of = (pick: (day: Day) => number | null): (number | null)[] =>
    times.map((at) => {
      const day = byTime.get(at)
      return day === undefined ? null : pick(day)
    })
  // Bars first, so that the lines are drawn over them.
  return [times, of((day) => day.short_circuits || null), of((day) => day.drift_mean), of((day) => day.drift_max)]
}

const SECONDS_PER_DAY = 86_400

type Span = readonly [first: number, last: number]

/** Midnight of the first and of the last day. */
function spanOf(days: readonly Day[]): Span {
  return [secondsOf(days[0]?.date ?? '1970-01-01'), secondsOf(days.at(-1)?.date ?? '1970-01-01')]
}

function secondsOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 1_000
}

function optionsFor(width: number, [first, last]: Span, { accent, warn, faint, line, soft }: Colours): uPlot.Options {
  const bars = uPlot.paths.bars?.({ size: [0.5, 28] })
  const axis = { stroke: faint ?? '', grid: { stroke: line ?? '', width: 1 }, ticks: { stroke: line ?? '', width: 1 } }
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 20, 0, 0],
    scales: {
      // Not uPlot's own range: for a single day it would be two days wide, with the second one empty.
      x: { range: () => [first - SECONDS_PER_DAY / 2, last + SECONDS_PER_DAY / 2] },
      y: { range: [0, 1] },
      count: { range: (_chart, _min, max) => [0, Math.max(4, Math.ceil(max * 1.6))] }
    },
    axes: [
      { ...axis, space: 56, incrs: [1, 2, 3, 7, 14].map((days) => days * SECONDS_PER_DAY), values: '{MMM} {D}' },
      { ...axis, size: 44 }
    ],
    series: [
      {},
      {
        label: 'short circuits',
        scale: 'count',
        fill: soft ?? '',
        // The fill alone has too little contrast with the background.
        stroke: accent ?? '',
        width: 1,
        ...(bars !== undefined && { paths: bars }),
        points: { show: false }
      },
      { label: 'mean drift', stroke: accent ?? '', width: 2, points: { show: true, size: 6, fill: accent ?? '' } },
      { label: 'highest drift', stroke: warn ?? '', width: 1.5, dash: [5, 4], points: { show: true, size: 5, fill: warn ?? '' } }
    ]
  }
}
