import { type ComponentChildren, h } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface ConfirmProps {
  readonly title: string
  /** Describes the action and its object. */
  readonly children?: ComponentChildren
  /** Label of the button for the action. */
  readonly verb: string
  readonly confirmed: () => void
  /** Called when the dialog is closed, whatever was decided. */
  readonly left: () => void
}

/** Asks before an irreversible action. The browser traps the focus and restores it afterwards. */
export function ConfirmDialog({ title, children, verb, confirmed, left }: ConfirmProps): ComponentChildren {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    dialog.current?.showModal()
  }, [])
  // Closed first, because nothing outside an open dialog can take the focus.
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
