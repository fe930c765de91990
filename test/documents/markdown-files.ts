/** Reads the project's Markdown documents and their blocks of code. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { anchorOf } from '../../src/tools/site/pages.js'

export interface MarkdownFile {
  /** Path from the project's folder. */
  readonly path: string
  readonly text: string
}

export interface CodeBlock {
  readonly language: string
  readonly text: string
  /** What running it needs, from the comment before it; null if the running service of the tour is enough. */
  readonly needs: string | null
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Documents outside the `docs` folder. */
const BESIDE = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']

export function markdownFiles(): MarkdownFile[] {
  const documents = readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' })
  const paths = [...BESIDE, ...documents.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
  return paths.sort().map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, 'utf8') }))
}

export function codeBlocks(text: string): CodeBlock[] {
  return [...text.matchAll(/^(?:<!-- needs (.+) -->\n)?```(\w+)\n([^]*?)^```$/gm)].map(([, needs = null, language = '', code = '']) => ({
    language,
    text: code,
    needs
  }))
}

/** The text without its blocks of code. */
export function proseOf(text: string): string {
  return text.replace(/^```[^]*?^```$/gm, '')
}

/** The anchors that the usual hosts give to a text's headings. */
export function anchorsOf(text: string): string[] {
  return [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')))
}
