/** Builds the documentation pages out of the published bundles of Swagger UI and Redoc. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export interface Page {
  readonly html: string
  /** Lets exactly the page's own scripts run, and the page reach nothing but this service. */
  readonly contentSecurityPolicy: string
}

interface PageParts {
  readonly title: string
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
  readonly root: string
}

const require = createRequire(import.meta.url)

/** Pages for the document that `read` returns. Each is built at its first request, and kept: bundles and schema do not change. */
export function createPages(read: () => object): { docs(): Page; redoc(): Page } {
  let docs: Page | undefined
  let redoc: Page | undefined
  return {
    docs: () => (docs ??= buildDocs(read())),
    redoc: () => (redoc ??= buildRedoc(read()))
  }
}

function buildDocs(document: object): Page {
  const options = { dom_id: '#root', validatorUrl: null, deepLinking: true, spec: document }
  return buildPage({
    title: 'Engram: documentation',
    styles: [readPackaged('swagger-ui-dist/swagger-ui.css')],
    scripts: [readPackaged('swagger-ui-dist/swagger-ui-bundle.js'), `SwaggerUIBundle(${JSON.stringify(options)})`],
    root: '<div id="root"></div>'
  })
}

function buildRedoc(document: object): Page {
  // Redoc shows its maker's logo from a server of theirs; an empty picture takes its place.
  const bundle = readPackaged('redoc/bundles/redoc.standalone.js').replaceAll(/https:\/\/cdn\.redoc\.ly\/[\w./-]+/g, 'data:,')
  const options = { hideDownloadButtons: true, disableSearch: true }
  return buildPage({
    title: 'Engram: reference',
    styles: ['body { margin: 0 }'],
    scripts: [bundle, `Redoc.init(${JSON.stringify(document)}, ${JSON.stringify(options)}, document.getElementById('root'))`],
    root: '<div id="root"></div>'
  })
}

function buildPage({ title, styles, scripts, root }: PageParts): Page {
  const inline = scripts.map(toInlineScript)
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">' +
    `${styles.map((style) => `<style>${withoutSourceMap(style)}</style>`).join('')}</head><body>${root}` +
    `${inline.map((script) => `<script>${script}</script>`).join('')}</body></html>`
  const hashes = inline.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  // Both user interfaces write style attributes as they render, which no hash can know beforehand.
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
 * A script element ends at the first `</script`, and `<!--` changes how it is read, even inside strings. The escapes
 * mean the same inside strings and regular expressions, the only places where bundles have them.
 */
function toInlineScript(script: string): string {
  return withoutSourceMap(script)
    .replaceAll(/<\/(?=script)/gi, '<\\/')
    .replaceAll('<!--', '\\x3C!--')
}

/** The comment that ends a bundle would send a browser's tools for a file that is not served. */
function withoutSourceMap(text: string): string {
  return text.replace(/\n\/[/*]# sourceMappingURL=\S+( ?\*\/)?\s*$/, '\n')
}

function readPackaged(path: string): string {
  return readFileSync(require.resolve(path), 'utf8')
}
