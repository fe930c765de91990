/** Settings of VitePress for the documentation site: `npm run docs` builds it, `npm run docs:dev` previews it. */
import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addSiteRules, type MarkdownParser } from './markdown.js'
import { sidebarOf } from './navigation.js'
import { anchorOf, sitePages } from './pages.js'

/** Files that pages link to directly; without duplicates. */
const linked = new Set<string>()

/** Settings for a project in `root`, which ends with a slash. */
export function siteSettings(root: string) {
  const pages = sitePages(root)
  return {
    title: 'Engram',
    description: 'Semantic session memory for applications built on language models',
    lang: 'en',
    srcDir: '..',
    // Links keep their file names, so that a site also works on hosts without rewriting.
    cleanUrls: false,
    srcExclude: ['{actors,bench,deploy,dist,examples,machines,models,src,test}/**'],
    rewrites: Object.fromEntries(pages.map(({ source, path }) => [source, path])),
    // Metadata of the pages goes into one chunk instead of into every page.
    metaChunk: true,
    markdown: {
      // Braces at the end of a heading are parameters of a path, not attributes.
      attrs: { disable: true },
      anchor: { slugify: anchorOf },
      config: (parser: MarkdownParser) => addSiteRules(parser, { root, linked: (file) => linked.add(file) })
    },
    themeConfig: {
      nav: [
        { text: 'Quickstart', link: '/quickstart' },
        { text: 'Concepts', link: '/concepts' },
        { text: 'HTTP API', link: '/reference/' },
        { text: 'Comparison', link: '/comparison' }
      ],
      sidebar: sidebarOf(pages),
      outline: { level: [2, 3] as [number, number] },
      search: { provider: 'local' as const },
      footer: { message: 'Apache-2.0' }
    },
    async buildEnd({ outDir }: { readonly outDir: string }): Promise<void> {
      for (const file of linked) {
        const target = join(outDir, file)
        await mkdir(dirname(target), { recursive: true })
        await cp(join(root, file), target)
      }
    }
  }
}
