import { type ComponentChildren, h } from 'preact'
import type { DriftPoint } from './history.js'

const DRIFT_WIDTH = 480
const DRIFT_HEIGHT = 96
const DRIFT_MARGIN = 14

/** Line chart of the drift of the last turns, with a dot per turn in the colour of its phase. */
export function DriftView({ points }: { points: readonly DriftPoint[] }): ComponentChildren {
  const shown = points.slice(-60)
  const x = (index: number): number => DRIFT_MARGIN + (index * (DRIFT_WIDTH - 2 * DRIFT_MARGIN)) / Math.max(1, shown.length - 1)
  const y = (score: number): number => DRIFT_HEIGHT - DRIFT_MARGIN - score * (DRIFT_HEIGHT - 2 * DRIFT_MARGIN)
  const last = shown.at(-1)
  const summary =
    last === undefined ? 'No drift has been told yet' : `Drift over ${shown.length} turns, last ${last.score.toFixed(2)} ${last.phase}`
  return h(
    'section',
    { 'aria-labelledby': 'drift-title' },
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
          'circle',
          { key: turn, class: `phase-${phase}`, cx: x(index), cy: y(score), r: 4 },
          h('title', null, `Turn ${turn}: ${score.toFixed(3)} ${phase}`)
        )
      )
    )
  )
}
