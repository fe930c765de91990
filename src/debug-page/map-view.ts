import { type ComponentChildren, h } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { type Area, areasOf } from './areas.js'
import { counted } from './counted.js'
import type { Topology } from './debug-client.js'

interface MapProps {
  readonly topology: Topology
  /** Id of the selected part. */
  readonly selected: string | null
  readonly select: (id: string) => void
  /** Lists the parts of this kind, or of all kinds if it is empty. */
  readonly list: (kind: string) => void
  /** Applies only initially; later the user decides. */
  readonly startsOpen: boolean
}

interface Choices extends Pick<MapProps, 'selected' | 'select' | 'list'> {
  /** The element that the Tab key reaches. */
  readonly stop: string | undefined
  readonly focused: (id: string) => void
}

/** The parts of the service as collapsible areas. A single Tab stop: arrow keys move within it, Enter selects. */
export function MapView({ topology, selected, select, list, startsOpen }: MapProps): ComponentChildren {
  const areas = useMemo(() => areasOf(topology.nodes, topology.edges, selected), [topology, selected])
  const [focused, setFocused] = useState<string | null>(null)
  const stops = areas.flatMap(stopsOf)
  const stop = [focused, selected].find((id) => id !== null && stops.includes(id)) ?? stops[0]
  const choices: Choices = { selected, select, list, stop, focused: setFocused }
  return h(
    'details',
    { class: 'card map', open: startsOpen },
    h('summary', null, h('h2', null, 'Map')),
    h(
      'ul',
      { class: 'legend tones', 'aria-hidden': true },
      h('li', { class: 'tone-calm' }, 'stable'),
      h('li', { class: 'tone-warn' }, 'shifting, or a vote under way'),
      h('li', { class: 'tone-alarm' }, 'drifted, or realigning')
    ),
    h(
      'ul',
      { class: 'areas', 'aria-label': 'Parts as areas', onKeyDown: moveFocus },
      areas.map((area) => h(AreaView, { key: area.id, area, choices }))
    ),
    topology.more > 0 ? h('p', { class: 'hint' }, `${counted(topology.more, 'more actor')} not drawn.`) : null
  )
}

/** Selectable parts in visual order. A part may appear in several areas; the first one is its stop. */
function stopsOf({ id, part, inner, more }: Area): string[] {
  return [...(part === null ? [] : [id]), ...inner.flatMap(stopsOf), ...(more > 0 ? [moreOf(id)] : [])]
}

function moreOf(id: string): string {
  return `more:${id}`
}

function AreaView({ area, choices }: { readonly area: Area; readonly choices: Choices }): ComponentChildren {
  const { id, kind, title, tone, part, inner, more, moreKind } = area
  return h(
    'li',
    { class: `area area-${kind} tone-${tone}${inner.length > 0 ? ' holds' : ''}` },
    part === null ? h('h3', null, title) : h(PartButton, { area, choices }),
    inner.length === 0 && more === 0
      ? null
      : h(
          'ul',
          { 'aria-label': `In ${title}` },
          inner.map((one) => h(AreaView, { key: one.id, area: one, choices })),
          more === 0
            ? null
            : h(
                'li',
                { class: 'area more', key: 'more' },
                h(
                  'button',
                  { ...stopProps(moreOf(id), choices), title: 'Show them in the list', onClick: () => choices.list(moreKind) },
                  `+ ${counted(more, moreKind === '' ? 'part' : moreKind)}`
                )
              )
        )
  )
}

function PartButton({
  area: { id, kind, title, note, part },
  choices
}: {
  readonly area: Area
  readonly choices: Choices
}): ComponentChildren {
  return h(
    'button',
    {
      ...stopProps(id, choices),
      class: `part state-${part?.state ?? ''}`,
      'aria-pressed': id === choices.selected,
      title: `${kind} ${title}: ${note}`,
      onClick: () => choices.select(id)
    },
    h('span', { class: 'lamp', 'aria-hidden': true }),
    h('b', { dir: 'auto' }, title),
    h('small', null, note)
  )
}

function stopProps(id: string, { stop, focused }: Choices) {
  return { type: 'button' as const, 'data-node': id, tabindex: id === stop ? 0 : -1, onFocus: () => focused(id) }
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

function moveFocus(event: KeyboardEvent & { readonly currentTarget: Element }): void {
  const step = STEPS[event.key]
  if (step === undefined || !(event.target instanceof Element)) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-node]')]
  const next = all[all.findIndex((node) => node === event.target) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
