import { type ComponentChildren, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { DebugClient, Memory, Page } from './debug-client.js'

const NO_MEMORIES: Page<Memory> = { items: [], next: null }

/** What a session remembers, page by page, or what a search finds. Read again with each beat, as long as its first page is shown. */
export function MemoriesView({ client, sessionId, beat }: { client: DebugClient; sessionId: string; beat: number }): ComponentChildren {
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<readonly Memory[] | null>(null)
  /** Where each page that was turned begins, after the first. */
  const [turned, setTurned] = useState<readonly string[]>([])
  const [page, setPage] = useState(NO_MEMORIES)
  const after = turned.at(-1) ?? null
  useEffect(() => {
    setFound(null)
    setTurned([])
    setPage(NO_MEMORIES)
  }, [sessionId])
  useEffect(() => {
    let isCurrent = true
    const show = (read: Page<Memory>): void => {
      if (isCurrent) setPage(read)
    }
    // A session that is gone has none, and a broken connection is told of by itself.
    client.memories(sessionId, after).then(show, () => undefined)
    return () => {
      isCurrent = false
    }
  }, [client, sessionId, after, after === null ? beat : 0])
  const search = (event: Event): void => {
    event.preventDefault()
    if (query.trim() === '') setFound(null)
    else client.search(sessionId, query).then(setFound, () => setFound([]))
  }
  const shown = found ?? page.items
  const said = found === null ? `Page ${turned.length + 1}, ${shown.length} memories, oldest first.` : `${shown.length} found.`
  return h(
    'section',
    { class: 'memories', 'aria-labelledby': 'memories-title' },
    h('h3', { id: 'memories-title' }, 'Memories'),
    h(
      'form',
      { role: 'search', 'aria-label': 'Memories', onSubmit: search },
      h('label', { for: 'query', class: 'unseen' }, 'Search the memories'),
      h('input', {
        id: 'query',
        type: 'search',
        placeholder: 'Search the memories',
        value: query,
        onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => setQuery(currentTarget.value)
      }),
      h('button', { type: 'submit' }, 'Search')
    ),
    h('p', { class: 'hint', role: 'status' }, said),
    h(
      'ul',
      { tabindex: 0, 'aria-label': 'Memories' },
      shown.map((memory) =>
        h('li', { key: memory.memory_id ?? memory.memory_hash }, h('p', null, memory.text), h('small', null, factsOf(memory)))
      )
    ),
    found === null
      ? h(Pager, {
          isFirst: turned.length === 0,
          next: page.next,
          back: () => setTurned(turned.slice(0, -1)),
          turn: (next) => setTurned([...turned, next])
        })
      : null
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

function factsOf({ role, tier, importance, access_count: accessCount, score }: Memory): string {
  const facts = [
    role,
    tier,
    importance === undefined ? undefined : `importance ${importance.toFixed(2)}`,
    accessCount === undefined ? undefined : `used ${accessCount} times`
  ]
  return [...facts, score === undefined ? undefined : `score ${score.toFixed(3)}`].filter((fact) => fact !== undefined).join(' · ')
}
