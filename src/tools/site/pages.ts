/** The pages of the site, and where each one stands on it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'

export interface SitePage {
  /** Of its Markdown, from the project's folder. */
  readonly source: string
  /** On the site, with its ending. */
  readonly path: string
  readonly title: string
}

/** Pages of the project's own folder. Its first page is the site's. */
const OUTSIDE = new Map([
  ['README.md', 'index.md'],
  ['CHANGELOG.md', 'changelog.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['SECURITY.md', 'security.md']
])

const FOLDER = 'docs/'

/** Where the page of this source stands. */
function sitePathOf(source: string): string {
  return OUTSIDE.get(source) ?? source.slice(FOLDER.length).replace(/(^|\/)README\.md$/, '$1index.md')
}

/** Every page, in the order of its source. `root` ends with a slash. */
export function sitePages(root: string): SitePage[] {
  const found = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
  const sources = [...OUTSIDE.keys(), ...found.filter((name) => name.endsWith('.md')).map((name) => FOLDER + posix.normalize(name))]
  return sources.sort().map((source) => ({
    source,
    path: sitePathOf(source),
    title: /^# (.+)$/m.exec(readFileSync(root + source, 'utf8'))?.[1]?.replaceAll('`', '') ?? source
  }))
}

export interface LinkTarget {
  /** A page of the site, with its ending, or a file that the site shows as it is. */
  readonly kind: 'page' | 'file'
  /** From the root of the site. */
  readonly path: string
  /** With its `#`; empty without one. */
  readonly anchor: string
}

/** Where a relative link leads that stands in `source`; null for one that leads to nothing, or out of the project. */
export function resolveLink(root: string, source: string, href: string): LinkTarget | null {
  const [file = '', anchor] = href.split('#')
  const target = posix.join(posix.dirname(source), decodeURI(file)).replace(/\/$/, '')
  if (target.startsWith('..') || !existsSync(root + target)) return null
  const named = { anchor: anchor === undefined ? '' : `#${anchor}` }
  if (isPage(target)) return { kind: 'page', path: sitePathOf(target), ...named }
  if (!statSync(root + target).isDirectory()) return { kind: 'file', path: target, ...named }
  const index = `${target}/README.md`
  return existsSync(root + index) && isPage(index) ? { kind: 'page', path: sitePathOf(index), ...named } : null
}

function isPage(path: string): boolean {
  return OUTSIDE.has(path) || (path.startsWith(FOLDER) && path.endsWith('.md'))
}

/** The anchor that a heading gets on the usual hosts of code, so that one link works on both. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
