import { type ComponentChildren, h } from 'preact'
import type { DriftPoint } from './history.js'
import { table } from './table.js'

const DRIFT_WIDTH = 480
const DRIFT_HEIGHT = 96
const DRIFT_MARGIN = 14
const TURNS_SHOWN = 60

/** Drift of the last turns: a line chart with a mark per turn in the colour and shape of its phase, and the same figures as a table. */
export function DriftView({ points }: { points: readonly DriftPoint[] }): ComponentChildren {
  const shown = points.slice(-TURNS_SHOWN)
  const x = (index: number): number => DRIFT_MARGIN + (index * (DRIFT_WIDTH - 2 * DRIFT_MARGIN)) / Math.max(1, shown.length - 1)
  const y = (score: number): number => DRIFT_HEIGHT - DRIFT_MARGIN - score * (DRIFT_HEIGHT - 2 * DRIFT_MARGIN)
  const last = shown.at(-1)
  const summary =
    last === undefined ? 'No drift has been told yet' : `Drift over ${shown.length} turns, last ${last.score.toFixed(2)} ${last.phase}`
  return h(
    'section',
    { class: 'drifts', 'aria-labelledby': 'drift-title' },
    h(
      'h3',
      { id: 'drift-title' },
      'Drift ',
      h('span', { class: 'now' }, last === undefined ? '' : `${last.score.toFixed(2)} ${last.phase}`)
    ),
    h(
      'svg',
      { class: 'drift', viewBox: `0 0 ${DRIFT_WIDTH} ${DRIFT_HEIGHT}`, role: 'img', 'aria-label': summary },
      [0, 0.5, 1].map((score) =>
        h('line', { class: 'grid', x1: DRIFT_MARGIN, x2: DRIFT_WIDTH - DRIFT_MARGIN, y1: y(score), y2: y(score) })
      ),
      h('polyline', { points: shown.map(({ score }, index) => `${x(index)},${y(score)}`).join(' ') }),
      shown.map(({ turn, score, phase }, index) =>
        h(
          'path',
          { key: turn, class: `phase-${phase}`, d: SHAPES[phase] ?? DOT, transform: `translate(${x(index)} ${y(score)})` },
          h('title', null, `Turn ${turn}: ${score.toFixed(3)} ${phase}`)
        )
      )
    ),
    last === undefined ? null : [h(Legend, null), h(DriftTable, { points: shown })]
  )
}

const DOT = 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0'
/** SVG paths of the markers by phase, distinguishable without colour. */
const SHAPES: Readonly<Record<string, string>> = { stable: DOT, shifting: 'M0-6L6 4H-6Z', drifted: 'M-5-5H5V5H-5Z' }

function Legend(): ComponentChildren {
  const shapes = Object.entries(SHAPES).map(([phase, d]) =>
    h('li', { key: phase }, h('svg', { class: 'drift', viewBox: '-7 -7 14 14' }, h('path', { class: `phase-${phase}`, d })), phase)
  )
  return h('ul', { class: 'legend shapes', 'aria-hidden': true }, shapes, h('li', { key: 'scale' }, 'from 0, the lowest line, to 1'))
}

function DriftTable({ points }: { points: readonly DriftPoint[] }): ComponentChildren {
  const rows = points
    .toReversed()
    .map(({ turn, score, phase }) =>
      h('tr', { key: turn }, h('th', { scope: 'row' }, turn), h('td', { class: 'number' }, score.toFixed(3)), h('td', null, phase))
    )
  return h('details', null, h('summary', null, 'Drift as a table'), table('Newest turn first.', ['Turn', 'Drift', 'Phase'], rows))
}
