/** The debugger's page: a document, two scripts and a style sheet. They contain no data, so reading them needs no licence. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeIn } from '../../domain/errors.js'
import type { Http } from '../contract/typed-http.js'
import { HttpProblem } from '../contract/problem.js'

/** Folder of the built page: beside the compiled sources. */
const BUILT_FOLDER = fileURLToPath(new URL('../../../debug-page/', import.meta.url))

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

const FILES = [
  { url: '/v1/debug/', name: 'index.html', type: 'text/html; charset=utf-8' },
  { url: '/v1/debug/page.js', name: 'page.js', type: 'text/javascript; charset=utf-8' },
  { url: '/v1/debug/day-plot.js', name: 'day-plot.js', type: 'text/javascript; charset=utf-8' },
  { url: '/v1/debug/page.css', name: 'page.css', type: 'text/css; charset=utf-8' }
] as const

/** Adds routes for the page and its files, which are read once from the built folder. Missing files are answered with 404. */
export function addDebugPageRoutes(app: Http, folder: string = BUILT_FOLDER): void {
  for (const { url, name, type } of FILES) {
    const content = readBuilt(join(folder, name))
    const etag = content === null ? '' : `"${createHash('sha256').update(content).digest('base64url')}"`
    app.get(url, { config: { access: 'public', isPage: true }, schema: { hide: true } }, async (request, reply) => {
      if (content === null) throw new HttpProblem(404, 'The page of the debugger was not built: npm run build')
      // Revalidated on each request, and sent only when a new build has changed it.
      reply.header('cache-control', 'no-cache').header('etag', etag)
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply
        .type(type)
        .header('content-security-policy', CONTENT_SECURITY_POLICY)
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer')
        .send(content)
    })
  }
}

function readBuilt(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeIn(error) ?? '')) return null
    throw error
  }
}
