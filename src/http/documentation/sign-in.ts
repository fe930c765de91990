/**
 * Sign-in page for a browser without a token: a form for the token, and nothing of the schema. With the token it fetches the requested page
 * and the schema, extracts the viewer from the page, and shows the schema in it.
 */

/** The same key as in the debugger's page, so that a reader who keeps the token for this window is asked once. */
const TOKEN_KEY = 'engram-token'

/** Colours of all pages, light or dark as the browser prefers. */
export const PAGE_STYLE = `
:root { --ground: #f4f5f8; --card: #ffffff; --ink: #1b1f2a; --line: #aab2c1; --accent: #3b4fd8; --accent-ink: #ffffff; --bad: #b3261e; color-scheme: light dark }
@media (prefers-color-scheme: dark) {
  :root { --ground: #12141b; --card: #1b1e28; --ink: #e8eaf1; --line: #596176; --accent: #9aa7ff; --accent-ink: #12141b; --bad: #ff8f87 }
}
body { margin: 0; background: var(--ground); color: var(--ink) }
`

/** JavaScript expression: whether the browser prefers dark colours. */
export const IS_DARK = "matchMedia('(prefers-color-scheme: dark)').matches"

export const SIGN_IN_STYLE = `${PAGE_STYLE}
.sign-in { max-width: 26rem; margin: 12vh auto 0; padding: 1rem; font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif }
.sign-in form { display: grid; gap: .7rem; padding: 1.2rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px }
.sign-in h1 { margin: 0; font-size: 1.15rem }
.sign-in p { margin: 0 }
.sign-in input[type=password], .sign-in button { font: inherit; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: 6px }
.sign-in input[type=password] { background: var(--ground); color: var(--ink) }
.sign-in button { background: var(--accent); color: var(--accent-ink); border-color: var(--accent); cursor: pointer }
.sign-in :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.sign-in .refusal { color: var(--bad) }
`

export const SIGN_IN_ROOT = `<main class="sign-in"><form>
<h1>Licence token</h1>
<p>The documentation is read with your token. This page itself holds nothing of it.</p>
<label for="token">Token</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" required autofocus aria-describedby="refusal">
<label><input id="keep" type="checkbox"> Keep it until this window is closed</label>
<p id="refusal" class="refusal" role="alert"></p>
<button type="submit">Show the documentation</button>
</form></main><div id="root"></div>`

/** `view` is a statement that renders `schema` in `#root`, with `token` for trying it out; `isDark` is the browser's preference. */
export function signInScript(view: string): string {
  return `
const form = document.querySelector('form')
const field = document.getElementById('token')
const refusal = document.getElementById('refusal')
const isDark = ${IS_DARK}

async function read(url, token) {
  const response = await fetch(url, { headers: { authorization: 'Bearer ' + token } })
  if (response.ok) return response
  const { detail } = await response.json()
  throw new Error(typeof detail === 'string' ? detail : 'The service refuses')
}

async function show(token) {
  const [page, schema] = await Promise.all([read(location.pathname, token).then((r) => r.text()), read('/openapi.json', token).then((r) => r.json())])
  const viewer = new DOMParser().parseFromString(page, 'text/html')
  for (const { textContent } of viewer.querySelectorAll('style')) document.head.append(Object.assign(document.createElement('style'), { textContent }))
  document.body.append(Object.assign(document.createElement('script'), { textContent: viewer.querySelector('script').textContent }))
  document.querySelector('main').remove()
  document.documentElement.classList.toggle('dark-mode', isDark)
  ${view}
}

async function enter(token) {
  refusal.textContent = ''
  try {
    await show(token)
  } catch (error) {
    sessionStorage.removeItem('${TOKEN_KEY}')
    refusal.textContent = error.message
    field.focus()
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const token = field.value.trim()
  if (token === '') return
  if (document.getElementById('keep').checked) sessionStorage.setItem('${TOKEN_KEY}', token)
  enter(token)
})
const kept = sessionStorage.getItem('${TOKEN_KEY}')
if (kept !== null) enter(kept)
`
}
