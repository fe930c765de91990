import { type ComponentChildren, h } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Page } from '../client/pages.js'
import type { DebugClient } from './debug-client.js'
import { MemoryRow } from './memory-row.js'
import { problemView } from './problem-view.js'
import { useReading } from './reading.js'
import { type Control, moveInList } from './roving.js'
import type { Memory, MemoryEdit } from './session-client.js'

interface MemoriesProps {
  readonly client: DebugClient
  readonly sessionId: string
  readonly beat: number
}

/** Memories of a session, page by page, or the results of a search. Reloaded with each beat while the first page is shown. */
export function MemoriesView(props: MemoriesProps): ComponentChildren {
  const { client, sessionId, beat } = props
  const list = useRef<HTMLUListElement>(null)
  /** Start of each page that was visited after the first. */
  const [turned, setTurned] = useState<readonly string[]>([])
  const [changes, setChanges] = useState(0)
  const search = useSearch(props, changes)
  const after = turned.at(-1) ?? null
  const { value: page, problem } = useReading(() => client.memories(sessionId, after), {
    name: `${sessionId}/${after ?? ''}`,
    when: [client, changes, after === null ? beat : 0]
  })
  const changed = (): void => setChanges((times) => times + 1)
  const shown = (search.asked === '' ? page?.items : search.found) ?? []
  const [last, setLast] = useState<{ readonly id: string | undefined; readonly control: Control }>({ id: undefined, control: 'pin' })
  const stop = shown.some(({ memory_id: id }) => id === last.id) ? last : { id: shown[0]?.memory_id, control: 'pin' as const }
  const rowOf = (memory: Memory): ComponentChildren =>
    h(MemoryRow, {
      key: memory.memory_id,
      memory,
      roving: {
        stop: memory.memory_id === stop.id ? stop.control : null,
        focused: (control) => setLast({ id: memory.memory_id, control })
      },
      async edit(edit: MemoryEdit) {
        await client.edit(sessionId, memory.memory_hash, edit)
        changed()
      },
      async remove() {
        await client.remove(sessionId, memory.memory_hash)
        // The focused element is removed with the memory.
        list.current?.focus()
        changed()
      }
    })
  return h(
    'section',
    { class: 'memories', 'aria-labelledby': 'memories-title' },
    h('h3', { id: 'memories-title' }, 'Memories'),
    h(SearchForm, search),
    problemView(search.problem ?? problem),
    // Announced to screen readers, so without the number of memories, which may grow with every turn.
    h('p', { class: 'hint', role: 'status' }, saidOf(search) ?? (page === null ? 'Reading…' : placeOf(page, turned.length + 1))),
    h('ul', { tabindex: -1, ref: list, 'aria-label': 'Memories', onKeyDown: moveInList }, shown.map(rowOf)),
    search.asked === ''
      ? h(Pager, {
          isFirst: turned.length === 0,
          next: page?.next ?? null,
          back: () => setTurned(turned.slice(0, -1)),
          turn: (next) => setTurned([...turned, next])
        })
      : null
  )
}

/** Returns the status of the search; null if there is none. */
function saidOf({ asked, found, problem }: Search): string | null {
  if (asked === '') return null
  if (found === null) return problem === null ? 'Searching…' : ''
  return `${found.length} found, best first.`
}

function placeOf({ items }: Page<Memory>, number: number): string {
  return items.length === 0 && number === 1 ? 'No memory yet.' : `Page ${number}, oldest first.`
}

interface Search {
  readonly query: string
  readonly type: (query: string) => void
  /** The active search; empty when none is. */
  readonly asked: string
  /** Null until the search is answered. */
  readonly found: readonly Memory[] | null
  readonly problem: string | null
  readonly start: () => void
}

/** Repeats the search after changes. Emptying the field ends it. */
function useSearch({ client, sessionId }: MemoriesProps, changes: number): Search {
  const [query, setQuery] = useState('')
  const [{ asked, times }, setAsked] = useState({ asked: '', times: 0 })
  const { value: found, problem } = useReading(async () => (asked === '' ? null : client.search(sessionId, asked)), {
    name: asked,
    when: [client, changes, times]
  })
  const ask = (words: string): void => setAsked({ asked: words, times: times + 1 })
  const type = (words: string): void => {
    setQuery(words)
    if (words === '') ask('')
  }
  return { query, type, asked, found, problem, start: () => ask(query.trim()) }
}

function SearchForm({ query, type, start }: Search): ComponentChildren {
  const submit = (event: Event): void => {
    event.preventDefault()
    start()
  }
  return h(
    'form',
    { role: 'search', 'aria-label': 'Memories', onSubmit: submit },
    h('label', { for: 'query', class: 'unseen' }, 'Search the memories'),
    h('input', {
      id: 'query',
      type: 'search',
      placeholder: 'Search the memories',
      value: query,
      onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => type(currentTarget.value)
    }),
    h('button', { type: 'submit' }, 'Search')
  )
}

interface PagerProps {
  readonly isFirst: boolean
  readonly next: string | null
  readonly back: () => void
  readonly turn: (next: string) => void
}

function Pager({ isFirst, next, back, turn }: PagerProps): ComponentChildren {
  if (isFirst && next === null) return null
  return h(
    'div',
    { class: 'pager' },
    h('button', { type: 'button', disabled: isFirst, onClick: back }, 'Earlier page'),
    h('button', { type: 'button', disabled: next === null, onClick: () => next !== null && turn(next) }, 'Later page')
  )
}
