import t from 'tap'
import type { ChartState } from '../../machines/chart.js'
import { machineCharts } from '../../machines/charts.js'
import type { Box } from '../../src/debug-page/chart-drawing.js'
import { layOutCharts } from '../../src/tools/chart-layout.js'

const charts = machineCharts()
const drawings = await layOutCharts(charts)

for (const chart of charts) {
  t.test(`drawing of ${chart.key}`, async (t) => {
    const drawing = drawings[chart.key]
    if (drawing === undefined) throw new Error('It was not drawn')
    const places = placesIn(chart)

    t.same(Object.keys(drawing.boxes).sort(), places.map(({ path }) => path).sort(), 'each state is drawn once')
    for (const { path, above } of places) {
      const box = drawing.boxes[path]
      const outer = above === null ? { x: 0, y: 0, ...drawing } : drawing.boxes[above]
      t.ok(box !== undefined && outer !== undefined && isWithin(box, outer), `${path}: within the state that holds it`)
    }
    for (const { path } of places) {
      for (const { path: other } of places.filter(({ above }) => above === places.find((place) => place.path === path)?.above)) {
        const [box, next] = [drawing.boxes[path], drawing.boxes[other]]
        if (path !== other && box !== undefined && next !== undefined) t.notOk(isOverlapping(box, next), `${path} and ${other}: apart`)
      }
    }

    const leads = places.flatMap(({ state, path }) =>
      state.transitions.flatMap(({ target }) => (target === null ? [] : [`${path} > ${target}`]))
    )
    const drawn = drawing.arrows.filter(({ source }) => source !== null)
    t.same(
      drawn.map(({ source, target }) => `${source} > ${target}`).sort(),
      [...new Set(leads)].sort(),
      'an arrow from each state to each other'
    )
    for (const { lines, at } of drawn) t.ok(lines.length > 0 && at !== null, 'with the events that it stands for')
    t.equal(drawing.starts.length, places.filter(({ state }) => state.initial !== null).length, 'a mark where each state starts')
  })
}

t.test('drawings of the same charts are the same', async (t) => {
  t.same(await layOutCharts(charts), drawings)
})

interface Place {
  readonly state: ChartState
  readonly path: string
  readonly above: string | null
}

function placesIn(state: ChartState, above: string | null = null): Place[] {
  const { path } = state
  return [{ state, path, above }, ...state.states.flatMap((child) => placesIn(child, path))]
}

function isWithin(box: Box, outer: Box): boolean {
  return (
    box.x >= outer.x &&
    box.y >= outer.y &&
    box.x + box.width <= outer.x + outer.width + 0.1 &&
    box.y + box.height <= outer.y + outer.height + 0.1
  )
}

function isOverlapping(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
