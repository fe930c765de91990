/** The site of the documents: its links and diagrams, the place of every page, and its look in a browser. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import axe from 'axe-core'
import t, { type Test } from 'tap'
import { diagram } from '../../src/tools/site/markdown.js'
import { sidebarOf } from '../../src/tools/site/navigation.js'
import { anchorOf, resolveLink, sitePages } from '../../src/tools/site/pages.js'
import { newPage, skipWithoutBrowser } from '../support/chromium.js'
import { LATE_OPTIMISING } from '../support/program.js'

/** The project's own folder, also where this test is a compiled copy. */
const PROJECT = `${process.cwd()}/`
const BUILD_MS_MAX = 600_000

const pages = sitePages(PROJECT)

t.test('links: to pages by their place on the site, to files as they are, and to nothing else', async (t) => {
  const resolve = (source: string, href: string) => resolveLink(PROJECT, source, href)
  t.strictSame(resolve('docs/groups.md', '../README.md#a-tour-with-curl'), { kind: 'page', path: 'index.md', anchor: '#a-tour-with-curl' })
  t.strictSame(resolve('README.md', 'docs/decisions/README.md'), { kind: 'page', path: 'decisions/index.md', anchor: '' })
  t.strictSame(resolve('README.md', 'docs/operations'), { kind: 'page', path: 'operations/index.md', anchor: '' })
  t.strictSame(resolve('docs/several-nodes.md', '../nats.conf'), { kind: 'file', path: 'nats.conf', anchor: '' })
  t.equal(resolve('README.md', 'docs/nowhere.md'), null)
  t.equal(resolve('README.md', '../outside.md'), null)
  t.equal(resolve('README.md', 'src'), null, 'a folder without a page')
})

t.test('anchors: as hosts of code make them', async (t) => {
  t.equal(anchorOf('POST /v1/session/{session_id}/memories'), 'post-v1sessionsession_idmemories')
  t.equal(anchorOf('Drift, and its phases'), 'drift-and-its-phases')
})

t.test('diagrams: drawn, with nothing from elsewhere, and safe inside a page', async (t) => {
  const html = diagram(`flowchart LR\n  a["it's <b>"] --> b{{Both}}\n`)
  t.match(html, /^<div class="diagram"[^>]* v-html='"<svg /)
  t.notMatch(html, /@import|fonts\.googleapis/)
  t.equal([...html.matchAll(/'/g)].length, 2, 'quotes inside are written in another way')
})

t.test('sidebar: every page once, but for single decisions', async (t) => {
  const links = sidebarOf(pages).flatMap(({ items }) => items.map(({ link }) => link))
  t.equal(new Set(links).size, links.length)
  t.equal(links.length, pages.filter(({ source }) => !/^docs\/decisions\/\d/.test(source)).length)
  t.strictSame(links.slice(0, 4), ['/', '/quickstart', '/concepts', '/comparison'])
})

t.test('site: builds without a dead link, and shows every page with its diagrams', { skip: skipWithoutBrowser }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'engram-site-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const program = fileURLToPath(import.meta.resolve('vitepress')).replace(/dist\/node\/.*$/, 'bin/vitepress.js')
  const args = [...LATE_OPTIMISING, program, 'build', 'docs', '--outDir', folder]
  await promisify(execFile)(process.execPath, args, { cwd: PROJECT, timeout: BUILD_MS_MAX })
  const built = await readdir(folder, { recursive: true })
  for (const { path } of pages) t.ok(built.includes(path.replace(/\.md$/, '.html')), path)
  t.ok(built.includes('nats.conf'), 'a file that a page links to')

  const url = await serve(t, folder)
  const page = await newPage(t)
  const asked: string[] = []
  const faults: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`${url}/concepts.html`, { waitUntil: 'networkidle' })
  t.equal(await page.locator('.diagram svg').count(), 6)
  await page.goto(`${url}/reference/sessions.html`, { waitUntil: 'networkidle' })
  t.match(await page.locator('main h2').first().textContent(), /POST \/v1\/run/, 'a heading for each operation')
  t.equal(await page.locator('h2[id="delete-v1sessionsession_id"]').count(), 1, 'with its parameters')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${url}/concepts.html`, { waitUntil: 'networkidle' })
    const width = await page.evaluate('document.documentElement.scrollWidth')
    t.ok(Number(width) <= 390, `${colorScheme}: nothing is wider than a narrow screen`)
    await page.evaluate(axe.source)
    const found = await page.evaluate("axe.run('main', { runOnly: ['wcag2a', 'wcag2aa'] })")
    const { violations } = found as { violations: { id: string; nodes: { html: string }[] }[] }
    t.strictSame(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120) ?? ''}`),
      [],
      colorScheme
    )
  }
  t.strictSame(
    asked.filter((one) => !one.startsWith(url) && !one.startsWith('data:')),
    [],
    'nothing is loaded from elsewhere'
  )
  t.strictSame(faults, [])
})

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml'
}

async function serve(t: Test, folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname
    readFile(join(folder, path === '/' ? 'index.html' : path)).then(
      (body) => response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(body),
      () => response.writeHead(404).end()
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}
