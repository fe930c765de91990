/** What the site makes of the project's Markdown: links that lead to its own pages, and diagrams that are drawn while it is built. */
import { renderMermaidSVG } from 'beautiful-mermaid'
import { resolveLink } from './pages.js'

/** The part of a Markdown parser's token that is looked at. */
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

/** The part of `markdown-it` that is added to. */
export interface MarkdownParser {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } }
  readonly renderer: { readonly rules: { fence?: Fence | undefined } }
}

export interface SiteMarkdown {
  /** The project's folder, with a slash at its end. */
  readonly root: string
  /** Told of every file that a page shows as it is, from the project's folder. */
  readonly linked: (file: string) => void
}

/** Changes what `parser` does with links and with diagrams. */
export function addSiteRules(parser: MarkdownParser, { root, linked }: SiteMarkdown): void {
  parser.core.ruler.push('site-links', ({ tokens, env }) => {
    const source = (env.realPath ?? env.path ?? '').slice(root.length)
    for (const link of tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open')) {
      const href = link.attrGet('href') ?? ''
      if (/^([a-z]+:|#|\/)/.test(href)) continue
      const target = resolveLink(root, source, href)
      // What leads nowhere stays as it is, and the site's own check of links names it.
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

/** Colours are those of the page, so that a diagram is light or dark with it. */
const COLOURS = {
  bg: 'var(--vp-c-bg)',
  fg: 'var(--vp-c-text-1)',
  muted: 'var(--vp-c-text-2)',
  accent: 'var(--vp-c-brand-1)',
  transparent: true
}

/** Of its own width: smaller, its words could not be read, so the box scrolls. */
const SHARE_MIN = 0.7

/** A page is rendered more than once: for readers with and without scripts, and for the search. */
const drawn = new Map<string, string>()

/** The SVG of a Mermaid diagram in a box of its own width. Nothing in it is loaded from elsewhere. */
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
  // Given as a value: a template may hold neither styles nor double braces.
  const value = JSON.stringify(svg).replaceAll('&', '&amp;').replaceAll("'", '&#39;')
  return `<div class="diagram" tabindex="0" role="img" aria-label="Diagram" v-html='${value}'></div>\n`
}
