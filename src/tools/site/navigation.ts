/** Order of the pages in the site's sidebar. */
import type { SitePage } from './pages.js'

interface Section {
  readonly text: string
  /** Source files, in order. Missing ones are skipped. */
  readonly sources: readonly string[]
  readonly collapsed?: boolean
}

interface SidebarGroup {
  readonly text: string
  readonly collapsed?: boolean
  readonly items: readonly { readonly text: string; readonly link: string }[]
}

const SECTIONS: readonly Section[] = [
  { text: 'Start', sources: ['README.md', 'docs/quickstart.md', 'docs/concepts.md', 'docs/comparison.md'] },
  {
    text: 'Guides',
    sources: [
      'docs/chat-proxy.md',
      'docs/client.md',
      'docs/integrations.md',
      'docs/mcp.md',
      'docs/cli.md',
      'docs/package.md',
      'docs/groups.md',
      'docs/compliance.md',
      'docs/licences.md',
      'docs/inspection.md'
    ]
  },
  {
    text: 'Operation',
    sources: [
      'docs/configuration.md',
      'docs/several-nodes.md',
      'docs/kubernetes.md',
      'docs/upgrades.md',
      'docs/operations/README.md',
      'docs/operations/storage.md',
      'docs/operations/sizing.md',
      'docs/operations/backup.md',
      'docs/operations/connections.md',
      'docs/operations/troubleshooting.md',
      'docs/operations/supply-chain.md',
      'docs/threat-model.md',
      'SECURITY.md'
    ]
  },
  { text: 'Reference', sources: ['docs/reference/README.md', 'docs/debug-events.md', 'docs/limits.md', 'docs/glossary.md'] },
  {
    text: 'Internals',
    sources: ['docs/architecture.md', 'docs/actors.md', 'docs/machines/README.md', 'docs/exactly-once.md', 'docs/decisions/README.md']
  },
  { text: 'Measured', sources: ['docs/performance.md', 'docs/quality.md', 'docs/scale.md'] },
  { text: 'Project', sources: ['CHANGELOG.md', 'CONTRIBUTING.md', 'docs/development.md'] }
]

/** Folders whose pages are listed below the folder's own page. */
const BELOW = new Map([
  ['Reference', /^docs\/reference\/(?!README)/],
  ['Operation', /^docs\/operations\/(?!README)/]
])

/** Pages reached only through their index. */
const UNLISTED = /^docs\/decisions\/(?!README)/

/** Section for pages that no section names. */
const OTHERS = 'Guides'

/** Returns every page once, except the single decisions. */
export function sidebarOf(pages: readonly SitePage[]): SidebarGroup[] {
  const bySource = new Map(pages.map((page) => [page.source, page]))
  const named = new Set(SECTIONS.flatMap(({ sources }) => sources))
  const rest = pages.filter(({ source }) => !named.has(source) && !UNLISTED.test(source))
  const sectionOf = ({ source }: SitePage) => [...BELOW].find(([, folder]) => folder.test(source))?.[0] ?? OTHERS
  return SECTIONS.map(({ text, sources }) => {
    const own = sources.flatMap((source) => bySource.get(source) ?? [])
    const below = rest.filter((page) => sectionOf(page) === text)
    return { text, items: [...own, ...below].map(({ source, path, title }) => ({ text: SHORT.get(source) ?? title, link: linkTo(path) })) }
  })
}

/** Short titles, for those that are too long for the sidebar. */
const SHORT = new Map([
  ['README.md', 'What it is'],
  ['docs/machines/README.md', 'State machines'],
  ['docs/exactly-once.md', 'Exactly once'],
  ['docs/compliance.md', 'Erasure and audit'],
  ['docs/limits.md', 'Limits'],
  ['SECURITY.md', 'Reporting a weakness']
])

function linkTo(path: string): string {
  return `/${path.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')}`
}
