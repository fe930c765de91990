import { type ComponentChildren, h } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { counted } from './counted.js'
import { EVERY_PART, filterParts, kindsOf, type PartFilter } from './parts.js'
import type { GraphNode } from './topology.js'

interface PartListProps {
  readonly parts: readonly GraphNode[]
  readonly filter: PartFilter
  readonly setFilter: (filter: PartFilter) => void
  readonly selected: string | null
  readonly select: (id: string) => void
  /** Explains what cannot be listed; empty when everything is. */
  readonly hint: string
}

/** Height of a row in pixels, as in the style sheet. */
const ROW_HEIGHT = 46
/** Rows rendered above and below the visible ones, so that scrolling shows no gap. */
const SPARE_ROWS = 6
/** Height of the list in pixels before it is measured. */
const HEIGHT_GUESS = 480

/** All parts, filtered by words and kind. A single Tab stop: arrow keys move through it, Enter selects. Only visible rows are rendered. */
export function PartList({ parts, filter, setFilter, selected, select, hint }: PartListProps): ComponentChildren {
  const found = useMemo(() => filterParts(parts, filter), [parts, filter])
  const kinds = useMemo(() => kindsOf(parts), [parts])
  // Only the result of a search is announced: sessions come and go many times a minute.
  const announced = useMemo(() => (filter === EVERY_PART ? '' : `${counted(found.length, 'part')} found`), [filter])
  return h(
    'section',
    { class: 'card parts', 'aria-labelledby': 'parts-title' },
    h('h2', { id: 'parts-title' }, 'Parts'),
    h(
      'div',
      { class: 'filters', role: 'search' },
      h('label', { for: 'words', class: 'unseen' }, 'Find a part'),
      h('input', {
        id: 'words',
        type: 'search',
        placeholder: 'Find',
        value: filter.words,
        onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => setFilter({ ...filter, words: currentTarget.value })
      }),
      h('label', { for: 'kind', class: 'unseen' }, 'Kind'),
      h(
        'select',
        {
          id: 'kind',
          value: filter.kind,
          onChange: ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) =>
            setFilter({ ...filter, kind: currentTarget.value })
        },
        h('option', { value: EVERY_PART.kind }, `All ${parts.length.toLocaleString('en')}`),
        kinds.map(([kind, count]) => h('option', { value: kind, key: kind }, `${kind} ${count.toLocaleString('en')}`))
      )
    ),
    h('p', { class: 'hint' }, `${found.length.toLocaleString('en')} of ${parts.length.toLocaleString('en')}${hint}`),
    h('p', { class: 'unseen', role: 'status' }, announced),
    h(Rows, { found, selected, select })
  )
}

function Rows({
  found,
  selected,
  select
}: Pick<PartListProps, 'selected' | 'select'> & { readonly found: readonly GraphNode[] }): ComponentChildren {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: HEIGHT_GUESS })
  const [current, setCurrent] = useState<string | null>(null)
  const marked = current ?? selected
  const at = useMemo(() => found.findIndex(({ id }) => id === marked), [found, marked])
  useEffect(() => {
    const { current: element } = box
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setView({ top: element.scrollTop, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    const { current: element } = box
    if (element === null || current === null || at === -1) return
    const top = at * ROW_HEIGHT
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW_HEIGHT - element.clientHeight
  }, [current])

  const page = Math.max(1, Math.floor(view.height / ROW_HEIGHT) - 1)
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -found.length,
    End: found.length
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    const chosen = found[at]
    if (step !== undefined) setCurrent(found[Math.min(found.length - 1, Math.max(0, at + step))]?.id ?? null)
    else if ((event.key === 'Enter' || event.key === ' ') && chosen !== undefined) select(chosen.id)
    else return
    event.preventDefault()
  }
  const first = Math.max(0, Math.floor(view.top / ROW_HEIGHT) - SPARE_ROWS)
  const drawn = found.slice(first, first + Math.ceil(view.height / ROW_HEIGHT) + 2 * SPARE_ROWS)
  const isDrawn = drawn.some(({ id }) => id === found[at]?.id)
  return h(
    'div',
    {
      ref: box,
      class: 'rows',
      role: 'listbox',
      tabindex: 0,
      'aria-label': 'Parts of the service',
      'aria-activedescendant': isDrawn ? `row-${at}` : undefined,
      onKeyDown,
      onScroll: ({ currentTarget }: { readonly currentTarget: HTMLDivElement }) =>
        setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
    },
    found.length === 0
      ? h('div', { role: 'option', 'aria-disabled': true, 'aria-selected': false, class: 'row hint' }, 'Nothing of that name.')
      : null,
    h(
      'div',
      { role: 'presentation', class: 'room', style: { height: `${found.length * ROW_HEIGHT}px` } },
      drawn.map((part, index) =>
        h(Row, {
          key: part.id,
          part,
          index: first + index,
          size: found.length,
          isSelected: part.id === selected,
          isCurrent: first + index === at && current !== null,
          choose: () => {
            setCurrent(part.id)
            select(part.id)
          }
        })
      )
    )
  )
}

interface RowProps {
  readonly part: GraphNode
  readonly index: number
  readonly size: number
  readonly isSelected: boolean
  readonly isCurrent: boolean
  readonly choose: () => void
}

function Row({ part, index, size, isSelected, isCurrent, choose }: RowProps): ComponentChildren {
  const state = part.state.replaceAll('_', ' ')
  return h(
    'div',
    {
      id: `row-${index}`,
      role: 'option',
      class: `row state-${part.state}${isCurrent ? ' current' : ''}`,
      style: { top: `${index * ROW_HEIGHT}px` },
      'aria-selected': isSelected,
      'aria-setsize': size,
      'aria-posinset': index + 1,
      'data-part': part.id,
      title: part.label,
      onClick: choose
    },
    h('span', { class: 'dot', 'aria-hidden': true }),
    h('b', { dir: 'auto' }, part.label),
    h('small', null, `${part.kind} · ${state}`)
  )
}
