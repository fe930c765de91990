import { type ComponentChildren, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { wordsOf } from './asking.js'
import type { DebugClient } from './debug-client.js'
import { MemoryRow } from './memory-row.js'
import { useReading } from './reading.js'
import type { Memory, MemoryEdit } from './session-client.js'

interface MemoriesProps {
  readonly client: DebugClient
  readonly sessionId: string
  readonly beat: number
}

/** Memories of a session, page by page, or the results of a search. Reloaded with each beat while the first page is shown. */
export function MemoriesView({ client, sessionId, beat }: MemoriesProps): ComponentChildren {
  const list = useRef<HTMLUListElement>(null)
  const search = useSearch(client, sessionId)
  /** Start of each page that was visited after the first. */
  const [turned, setTurned] = useState<readonly string[]>([])
  const [changes, setChanges] = useState(0)
  const after = turned.at(-1) ?? null
  useEffect(() => setTurned([]), [sessionId])
  const { value: page, problem } = useReading(() => client.memories(sessionId, after), {
    name: `${sessionId}/${after ?? ''}`,
    when: [client, changes, after === null ? beat : 0]
  })
  const changed = (): void => {
    setChanges((times) => times + 1)
    search.again()
  }
  const shown = search.found ?? page?.items ?? []
  const rowOf = (memory: Memory): ComponentChildren =>
    h(MemoryRow, {
      key: memory.memory_id,
      memory,
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
    search.problem === null && problem === null ? null : h('p', { class: 'refusal', role: 'alert' }, search.problem ?? problem),
    h(
      'p',
      { class: 'hint', role: 'status' },
      said({ found: search.found, isRead: page !== null, count: shown.length, number: turned.length + 1 })
    ),
    h('ul', { tabindex: 0, ref: list, 'aria-label': 'Memories' }, shown.map(rowOf)),
    search.found === null
      ? h(Pager, {
          isFirst: turned.length === 0,
          next: page?.next ?? null,
          back: () => setTurned(turned.slice(0, -1)),
          turn: (next) => setTurned([...turned, next])
        })
      : null
  )
}

interface Said {
  readonly found: readonly Memory[] | null
  readonly isRead: boolean
  readonly count: number
  readonly number: number
}

function said({ found, isRead, count, number }: Said): string {
  if (found !== null) return `${count} found, best first.`
  if (!isRead) return 'Reading…'
  return count === 0 && number === 1 ? 'No memory yet.' : `Page ${number}, ${count} memories, oldest first.`
}

interface Search {
  readonly query: string
  readonly setQuery: (query: string) => void
  /** Null when no search is active. */
  readonly found: readonly Memory[] | null
  readonly problem: string | null
  readonly start: () => void
  /** Repeats the last search, after a change. */
  readonly again: () => void
}

function useSearch(client: DebugClient, sessionId: string): Search {
  const [query, setQuery] = useState('')
  const [asked, setAsked] = useState('')
  const [found, setFound] = useState<readonly Memory[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const current = useRef(sessionId)
  current.current = sessionId
  useEffect(() => {
    setFound(null)
    setAsked('')
    setProblem(null)
  }, [sessionId])
  const look = (words: string): void => {
    setProblem(null)
    setAsked(words)
    if (words === '') return setFound(null)
    const isStill = (): boolean => current.current === sessionId
    client.search(sessionId, words).then(
      (results) => isStill() && setFound(results),
      (error: unknown) => isStill() && setProblem(wordsOf(error))
    )
  }
  return { query, setQuery, found, problem, start: () => look(query.trim()), again: () => asked !== '' && look(asked) }
}

function SearchForm({ query, setQuery, start }: Search): ComponentChildren {
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
      onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => setQuery(currentTarget.value)
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
