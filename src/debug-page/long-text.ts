import { type ComponentChildren, h } from 'preact'
import { useState } from 'preact/hooks'

/** Characters that are drawn before the whole is asked for: a list of memories with whole books in it would stand still. */
const SHOWN_CHARS = 2_000

/** A text of a memory in its own direction of writing; of a long one the beginning, and all of it when that is asked for. */
export function LongText({ text }: { text: string }): ComponentChildren {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= SHOWN_CHARS) return h('p', { dir: 'auto' }, text)
  return [
    h('p', { dir: 'auto' }, isWhole ? text : beginningOf(text, SHOWN_CHARS)),
    h(
      'button',
      { type: 'button', class: 'plain', 'aria-expanded': isWhole, onClick: () => setWhole(!isWhole) },
      isWhole ? 'Show the beginning' : `Show all ${text.length.toLocaleString('en')} characters`
    )
  ]
}

/** At most so many characters, no pair of them cut, and a sign that there is more. */
export function beginningOf(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '')}…`
}
