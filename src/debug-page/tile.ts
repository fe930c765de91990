import { type ComponentChildren, h } from 'preact'

/** A figure and its label. */
export function tile(name: string, value: string, note = ''): ComponentChildren {
  return h(
    'div',
    { class: 'tile', key: name },
    h('dt', null, name),
    h('dd', null, value, note === '' ? null : [' ', h('small', null, note)])
  )
}
