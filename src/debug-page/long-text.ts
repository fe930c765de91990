import { type ComponentChildren, h } from 'preact'
import { useState } from 'preact/hooks'
import { beginningOf } from './beginning.js'
import { type Roving, rovingProps } from './roving.js'

/** Maximum UTF-16 units shown before the reader asks for the whole text: a list of memories with whole books in it would freeze. */
const SHOWN_CHARS = 2_000

/** Text of a memory in its own writing direction. A long text shows its beginning, and a button shows all of it. */
export function LongText({ text, roving }: { readonly text: string; readonly roving: Roving }): ComponentChildren {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= SHOWN_CHARS) return h('p', { dir: 'auto' }, text)
  return [
    h('p', { dir: 'auto' }, isWhole ? text : beginningOf(text, SHOWN_CHARS)),
    h(
      'button',
      { ...rovingProps('text', roving), type: 'button', class: 'plain', 'aria-expanded': isWhole, onClick: () => setWhole(!isWhole) },
      isWhole ? 'Show the beginning' : `Show all ${text.length.toLocaleString('en')} characters`
    )
  ]
}
