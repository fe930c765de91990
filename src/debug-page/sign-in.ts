import { type ComponentChildren, h } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { keepToken } from './kept.js'

/** Asks for the licence token. It stays in the page's memory, or in this window's storage if the user asks for that. */
export function SignIn({ refusal, entered }: { refusal: string | null; entered: (token: string) => void }): ComponentChildren {
  const [token, setToken] = useState('')
  const [isKept, setKept] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const submit = (event: Event): void => {
    event.preventDefault()
    const given = token.trim()
    if (given === '') return
    if (isKept) keepToken(given)
    entered(given)
  }
  return h(
    'form',
    { class: 'card sign-in', onSubmit: submit },
    h('h2', null, 'Licence token'),
    h(
      'p',
      null,
      'What happens to your sessions is shown as it happens. The page itself holds nothing: it reads everything with your token.'
    ),
    h('label', { for: 'token' }, 'Token'),
    h('input', {
      id: 'token',
      ref: field,
      type: 'password',
      autocomplete: 'off',
      spellcheck: false,
      required: true,
      'aria-describedby': refusal === null ? undefined : 'refusal',
      onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => setToken(currentTarget.value)
    }),
    h(
      'label',
      { class: 'choice' },
      h('input', {
        type: 'checkbox',
        onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => setKept(currentTarget.checked)
      }),
      'Keep it until this window is closed'
    ),
    refusal === null ? null : h('p', { id: 'refusal', class: 'refusal', role: 'alert' }, refusal),
    h('button', { type: 'submit' }, 'Connect')
  )
}
