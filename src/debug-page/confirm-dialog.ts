import { type ComponentChildren, h } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface ConfirmProps {
  readonly title: string
  /** What will be done, and to what. */
  readonly children?: ComponentChildren
  /** The word of what is done. */
  readonly verb: string
  readonly confirmed: () => void
  /** It is closed: by Escape, by a button, whatever was decided. */
  readonly left: () => void
}

/** Asks before something that cannot be taken back. The browser keeps the focus inside and gives it back afterwards. */
export function ConfirmDialog({ title, children, verb, confirmed, left }: ConfirmProps): ComponentChildren {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    dialog.current?.showModal()
  }, [])
  // Closed first: nothing else can have the focus while it is open.
  const confirm = (): void => {
    dialog.current?.close()
    confirmed()
  }
  return h(
    'dialog',
    { ref: dialog, class: 'confirm', 'aria-labelledby': 'confirm-title', onClose: left },
    h('h2', { id: 'confirm-title' }, title),
    children,
    h(
      'div',
      { class: 'actions' },
      h('button', { type: 'button', onClick: () => dialog.current?.close() }, 'Keep it'),
      h('button', { type: 'button', class: 'danger', onClick: confirm }, verb)
    )
  )
}
