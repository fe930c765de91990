import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import t from 'tap'
import { resolveLink } from '../../src/tools/site/pages.js'
import { anchorsOf, codeBlocks, markdownFiles, proseOf, ROOT } from './markdown-files.js'

const README_LINES_MAX = 150

const files = markdownFiles()
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { readonly scripts: Record<string, string> }

/** Relative targets of links, with where they stand. */
const links = files.flatMap(({ path, text }) =>
  [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => ({ path, target }))
)

t.test('documents: every link between them leads to a file and to a heading of it', async (t) => {
  t.ok(links.length > 30, `${links.length} links`)
  for (const { path, target } of links) {
    const [file = '', anchor] = target.split('#')
    const found = file === '' ? path : posix.join(posix.dirname(path), file)
    t.ok(existsSync(`${ROOT}${found}`), `${path}: ${target}`)
    if (anchor !== undefined) t.ok(anchorsOf(readFileSync(`${ROOT}${found}`, 'utf8')).includes(anchor), `${path}: ${target}`)
  }
})

t.test('documents: every link between them leads somewhere on the site too', async (t) => {
  for (const { path, target } of links.filter((link) => !link.target.startsWith('#')))
    t.ok(resolveLink(ROOT, path, target), `${path}: ${target}`)
})

t.test('documents: each one is reached from the README', async (t) => {
  const reached = new Set(['README.md'])
  for (const path of reached) {
    for (const { target } of links.filter((link) => link.path === path)) {
      reached.add(posix.join(posix.dirname(path), target.split('#')[0] ?? ''))
    }
  }
  t.same(
    files.map(({ path }) => path).filter((path) => !reached.has(path) && !reached.has(posix.dirname(path))),
    []
  )
})

t.test('documents: every npm script that they name is there', async (t) => {
  for (const { path, text } of files) {
    for (const [, name = ''] of text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)) t.ok(name in scripts, `${path}: npm run ${name}`)
  }
})

t.test('documents: every script of package.json is described', async (t) => {
  const texts = files.map(({ text }) => text).join('\n')
  const isNamed = (name: string) => texts.includes(name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`)
  t.same(
    Object.keys(scripts).filter((name) => !isNamed(name)),
    []
  )
})

t.test('documents: every file of the project that they name is there', async (t) => {
  const folders = ['src', 'actors', 'machines', 'test', 'bench', 'examples']
  const paths = folders.flatMap((folder) => readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }))
  const names = new Set(paths.map((path) => posix.basename(path)))
  const named = files.flatMap(({ path, text }) =>
    [...proseOf(text).matchAll(/`((?:(?:src|actors|machines|test|bench|docs|examples)\/)?[\w./-]*[\w-](?:\.test)?\.(?:ts|wat))`/g)].map(
      ([, name = '']) => ({ path, name })
    )
  )
  t.ok(named.length > 20, `${named.length} names`)
  for (const { path, name } of named) t.ok(existsSync(`${ROOT}${name}`) || names.has(name), `${path}: ${name}`)
})

t.test('architecture: every folder of the product is named', async (t) => {
  const page = readFileSync(`${ROOT}docs/architecture.md`, 'utf8')
  const parents = ['actors', 'actors/session', 'src', 'src/domain', 'src/http']
  const folders = parents.flatMap((parent) =>
    readdirSync(`${ROOT}${parent}`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ name, path: `${parent}/${name}` }))
  )
  t.ok(folders.length > 40, `${folders.length} folders`)
  for (const { name, path } of folders) t.match(page, new RegExp(`[\`/]${name}\``), path)
})

t.test('documents: a block of code that is not run says what it needs', async (t) => {
  const silent = files.flatMap(({ path, text }) =>
    codeBlocks(text)
      .filter(({ language, needs }) => !['sh', 'mermaid', 'json'].includes(language) && needs === null)
      .map(() => path)
  )
  t.same(silent, [])
})

t.test('README: can be read in one go', async (t) => {
  const readme = files.find(({ path }) => path === 'README.md')
  t.ok((readme?.text.split('\n').length ?? Infinity) <= README_LINES_MAX)
})
