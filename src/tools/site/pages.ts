/** Pages of the site, and their paths. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'

export interface SitePage {
  /** Path of the Markdown source, relative to the project. */
  readonly source: string
  /** Path on the site, with extension. */
  readonly path: string
  readonly title: string
}

/** Pages from the project's root folder. The first one is the site's home page. */
const OUTSIDE = new Map([
  ['README.md', 'index.md'],
  ['CHANGELOG.md', 'changelog.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['SECURITY.md', 'security.md']
])

const FOLDER = 'docs/'

/** Path of a source's page on the site. */
function sitePathOf(source: string): string {
  return OUTSIDE.get(source) ?? source.slice(FOLDER.length).replace(/(^|\/)README\.md$/, '$1index.md')
}

/** Returns all pages, ordered by source. `root` ends with a slash. */
export function sitePages(root: string): SitePage[] {
  const found = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
  const sources = [...OUTSIDE.keys(), ...found.filter((name) => name.endsWith('.md')).map((name) => FOLDER + posix.normalize(name))]
  return sources.sort().map((source) => ({
    source,
    path: sitePathOf(source),
    title: /^# (.+)$/m.exec(readFileSync(root + source, 'utf8'))?.[1]?.replaceAll('`', '') ?? source
  }))
}

interface LinkTarget {
  /** A page of the site, or a file that is served unchanged. */
  readonly kind: 'page' | 'file'
  /** From the root of the site. */
  readonly path: string
  /** Includes the `#`; empty without an anchor. */
  readonly anchor: string
}

/** Resolves a relative link in `source`; null if the target is missing or outside of the project. */
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

/** Anchor of a heading as usual code hosts derive it, so that one link works on both. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
