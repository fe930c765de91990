import { type ComponentChildren, h } from 'preact'

/** A table with a caption and the titles of its columns. */
export function table(caption: string, titles: readonly string[], rows: ComponentChildren): ComponentChildren {
  const head = titles.map((title) => h('th', { scope: 'col' }, title))
  return h('table', null, h('caption', null, caption), h('thead', null, h('tr', null, head)), h('tbody', null, rows))
}
