/** Markdown rules of the site: links lead to its own pages, and diagrams are rendered at build time. */
import { renderMermaidSVG } from 'beautiful-mermaid'
import { resolveLink } from './pages.js'

/** The used fields of a Markdown parser's token. */
interface Token {
  readonly type: string
  readonly info: string
  readonly content: string
  readonly children: readonly Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

interface State {
  readonly tokens: readonly Token[]
  readonly env: { readonly path?: string; readonly realPath?: string }
}

type Fence = (tokens: Token[], index: number, ...rest: unknown[]) => string

/** The used part of `markdown-it`. */
export interface MarkdownParser {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } }
  readonly renderer: { readonly rules: { fence?: Fence | undefined } }
}

interface SiteMarkdown {
  /** Folder of the project, with a trailing slash. */
  readonly root: string
  /** Called for every file that a page links to directly, with its path in the project. */
  readonly linked: (file: string) => void
}

/** Adds the rules for links and diagrams to `parser`. */
export function addSiteRules(parser: MarkdownParser, { root, linked }: SiteMarkdown): void {
  parser.core.ruler.push('site-links', ({ tokens, env }) => {
    const source = (env.realPath ?? env.path ?? '').slice(root.length)
    for (const link of tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open')) {
      const href = link.attrGet('href') ?? ''
      if (/^([a-z]+:|#|\/)/.test(href)) continue
      const target = resolveLink(root, source, href)
      // A dead link is unchanged; the site's own check of links reports it.
      if (target === null) continue
      link.attrSet('href', `/${target.path}${target.anchor}`)
      if (target.kind === 'page') continue
      linked(target.path)
      link.attrSet('target', '_blank')
    }
  })

  const { fence } = parser.renderer.rules
  parser.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index]
    if (token?.info.trim() === 'mermaid') return diagram(token.content)
    return fence?.(tokens, index, ...rest) ?? ''
  }
}

/** Colours of the page, so that a diagram follows light and dark mode. */
const COLOURS = {
  bg: 'var(--vp-c-bg)',
  fg: 'var(--vp-c-text-1)',
  muted: 'var(--vp-c-text-2)',
  accent: 'var(--vp-c-brand-1)',
  transparent: true
}

/** Minimum scale of a wide diagram: smaller text would be unreadable, so the box scrolls. */
const SHARE_MIN = 0.7

/** Cache of rendered diagrams: a page is rendered several times, for readers with and without scripts and for the search. */
const drawn = new Map<string, string>()

/** Returns a Mermaid diagram as SVG, in a box of its width. It loads nothing from elsewhere. */
export function diagram(text: string): string {
  const known = drawn.get(text) ?? draw(text)
  drawn.set(text, known)
  return known
}

function draw(text: string): string {
  const drawing = renderMermaidSVG(text, COLOURS)
  const [, width = '0'] = /^<svg [^>]*? width="([\d.]+)"/.exec(drawing) ?? []
  const lines = drawing.replace(' style="', ` style="min-width:${String(Math.round(Number(width) * SHARE_MIN))}px;`).split('\n')
  const svg = lines
    .filter((line) => !line.trimStart().startsWith('@import'))
    .join('\n')
    .replaceAll("'Inter', ", '')
  // Passed as a value, because a template may contain neither styles nor double braces.
  const value = JSON.stringify(svg).replaceAll('&', '&amp;').replaceAll("'", '&#39;')
  return `<div class="diagram" tabindex="0" role="img" aria-label="Diagram" v-html='${value}'></div>\n`
}
