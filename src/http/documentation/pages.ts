/** Builds the documentation pages from the published bundles of Swagger UI and Redoc. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { IS_DARK, PAGE_STYLE, SIGN_IN_ROOT, SIGN_IN_STYLE, signInScript } from './sign-in.js'

export interface Page {
  readonly html: string
  /** Allows only the page's own scripts, and connections only to this service. */
  readonly contentSecurityPolicy: string
}

interface PageParts {
  readonly title: string
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
  readonly root: string
  /** Scripts that the page inserts into itself. */
  readonly added?: readonly string[]
}

const require = createRequire(import.meta.url)

const DOCS_OPTIONS = { dom_id: '#root', validatorUrl: null, deepLinking: true }
const REDOC_OPTIONS = { hideDownloadButtons: true, disableSearch: true }

/** Redoc's theme for readers who prefer dark colours. */
const REDOC_DARK = {
  colors: {
    primary: { main: '#9aa7ff' },
    success: { main: '#5fd38d' },
    warning: { main: '#ffca7a' },
    error: { main: '#ff8f87' },
    text: { primary: '#e8eaf1', secondary: '#a3aabb' },
    border: { dark: '#596176', light: '#333848' }
  },
  schema: { nestedBackground: '#1b1e28', typeNameColor: '#a3aabb', typeTitleColor: '#a3aabb', requireLabelColor: '#ff8f87' },
  typography: { code: { color: '#ffb4ab', backgroundColor: '#20232e' }, links: { color: '#9aa7ff' } },
  sidebar: { backgroundColor: '#1b1e28', textColor: '#e8eaf1' },
  rightPanel: { backgroundColor: '#0c0e13' }
}

/** Styles that Redoc's theme does not cover. */
const REDOC_STYLE = `@media (prefers-color-scheme: dark) {
  #root h5, #root h5 span { color: var(--ink) }
  #root li.react-tabs__tab--selected { color: #12141b }
}`

/** See `signInScript`. */
const DOCS_VIEW = `const ui = SwaggerUIBundle({ ...${JSON.stringify(DOCS_OPTIONS)}, spec: schema, onComplete: () => ui.preauthorizeApiKey('bearer', token) })`
const REDOC_VIEW = `Redoc.init(schema, { ...${JSON.stringify(REDOC_OPTIONS)}, ...(isDark && { theme: ${JSON.stringify(REDOC_DARK)} }) }, document.getElementById('root'))`

/** A self-contained page, and the sign-in form shown in its place until there is a token. */
export interface Pages {
  page(): Page
  signIn(): Page
}

/**
 * Creates pages for the document that `read` returns. Each is built on its first request and cached, because bundles and schema do not
 * change.
 */
export function createPages(read: () => object): { readonly docs: Pages; readonly redoc: Pages } {
  return {
    docs: kept(
      () => buildDocs(read()),
      () => buildSignIn('Engram: documentation', readSwagger(), DOCS_VIEW)
    ),
    redoc: kept(
      () => buildRedoc(read()),
      () => buildSignIn('Engram: reference', readRedoc(), REDOC_VIEW)
    )
  }
}

function kept(build: () => Page, buildEntry: () => Page): Pages {
  let page: Page | undefined
  let signIn: Page | undefined
  return { page: () => (page ??= build()), signIn: () => (signIn ??= buildEntry()) }
}

function buildSignIn(title: string, bundle: string, view: string): Page {
  return buildPage({ title, styles: [SIGN_IN_STYLE], scripts: [signInScript(view)], root: SIGN_IN_ROOT, added: [bundle] })
}

function buildDocs(document: object): Page {
  const options = { ...DOCS_OPTIONS, spec: document }
  return buildPage({
    title: 'Engram: documentation',
    styles: [PAGE_STYLE, readPackaged('swagger-ui-dist/swagger-ui.css')],
    scripts: [
      readSwagger(),
      `document.documentElement.classList.toggle('dark-mode', ${IS_DARK}); SwaggerUIBundle(${JSON.stringify(options)})`
    ],
    root: '<div id="root"></div>'
  })
}

function buildRedoc(document: object): Page {
  return buildPage({
    title: 'Engram: reference',
    styles: [PAGE_STYLE, REDOC_STYLE],
    scripts: [readRedoc(), `const schema = ${JSON.stringify(document)}; const isDark = ${IS_DARK}; ${REDOC_VIEW}`],
    root: '<div id="root"></div>'
  })
}

function readSwagger(): string {
  return readPackaged('swagger-ui-dist/swagger-ui-bundle.js')
}

/** Redoc loads its maker's logo from an external server; an empty image replaces it. */
function readRedoc(): string {
  return readPackaged('redoc/bundles/redoc.standalone.js').replaceAll(/https:\/\/cdn\.redoc\.ly\/[\w./-]+/g, 'data:,')
}

function buildPage({ title, styles, scripts, root, added = [] }: PageParts): Page {
  const inline = scripts.map(toInlineScript)
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">' +
    `${styles.map((style) => `<style>${withoutSourceMap(style)}</style>`).join('')}</head><body>${root}` +
    `${inline.map((script) => `<script>${script}</script>`).join('')}</body></html>`
  const hashes = [...inline, ...added.map(toInlineScript)].map(
    (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  )
  // Both user interfaces write style attributes while rendering, which no hash can cover in advance.
  const contentSecurityPolicy = [
    "default-src 'none'",
    `script-src ${hashes.join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; ')
  return { html, contentSecurityPolicy }
}

/**
 * A script element ends at the first `</script`, and `<!--` changes how it is parsed, even inside strings. The escapes are equivalent
 * inside strings and regular expressions, the only places where bundles contain them.
 */
function toInlineScript(script: string): string {
  return withoutSourceMap(script)
    .replaceAll(/<\/(?=script)/gi, '<\\/')
    .replaceAll('<!--', '\\x3C!--')
}

/** The comment at a bundle's end would make browsers' developer tools request a file that is not served. */
function withoutSourceMap(text: string): string {
  return text.replace(/\n\/[/*]# sourceMappingURL=\S+( ?\*\/)?\s*$/, '\n')
}

function readPackaged(path: string): string {
  return readFileSync(require.resolve(path), 'utf8')
}
