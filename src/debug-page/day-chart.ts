import { type ComponentChildren, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useColours } from './colours.js'
import type { DrawDays } from './day-plot.js'
import type { Day } from './session-client.js'

/** Drift by day as two lines, and short circuits as bars of a scale of their own. What it shows stands in a table as well. */
export function DayChart({ days, label }: { days: readonly Day[]; label: string }): ComponentChildren {
  const box = useRef<HTMLDivElement>(null)
  const colours = useColours()
  const draw = usePlot()
  useEffect(() => {
    const { current: element } = box
    return element === null || draw === null ? undefined : draw(element, { days, colours })
  }, [days, colours, draw])
  return h('div', { class: 'day-chart', ref: box, role: 'img', 'aria-label': label })
}

/** Null before it is loaded, and where it cannot be: the table says the same. */
function usePlot(): DrawDays | null {
  const [plot, setPlot] = useState<{ readonly drawDays: DrawDays } | null>(null)
  useEffect(() => {
    void import('./day-plot.js').then(setPlot, () => undefined)
  }, [])
  return plot?.drawDays ?? null
}
