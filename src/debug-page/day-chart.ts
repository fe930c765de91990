import { type ComponentChildren, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useColours } from './colours.js'
import type { DrawDays } from './day-plot.js'
import type { Day } from './session-client.js'

/** Drift by day as two lines, and short circuits as bars with their own scale. A table shows the same data. */
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

/** The plot module; null until it is loaded, or if that fails: the table shows the same data. */
function usePlot(): DrawDays | null {
  const [plot, setPlot] = useState<{ readonly drawDays: DrawDays } | null>(null)
  useEffect(() => {
    void import('./day-plot.js').then(setPlot, () => undefined)
  }, [])
  return plot?.drawDays ?? null
}
