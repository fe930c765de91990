/**
 * The house rules, run as a test: which folder may know which, how large a file grows, and that nothing lies about unused. What reaches
 * outside is in `tidy-globals.ts`, what tests look like in `tidy-tests.ts`. A rule that is in the way is changed, with its reason.
 */
import { basename, dirname } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { circlesOf, type Import, ownLines, reachableFrom, readSources } from './source-files.js'
import { check, syntaxRule } from './source-rules.js'
import { checkGlobals } from './tidy-globals.js'
import { checkTests } from './tidy-tests.js'
import { ENTRIES, type Zone, zoneOf } from './zones.js'

/** Hashing is arithmetic, although Node.js keeps it beside the random numbers; only these names are let in. */
const HASHING: readonly string[] = ['createHash', 'hash']

/** Packages that more than one file may import, and why. Every other one is known to a single file. */
const SHARED_PACKAGES: readonly { readonly package: string; readonly files: RegExp; readonly reason: string }[] = [
  { package: 'xstate', files: /^(machines|actors)\//, reason: 'the language that machines and actors are written in' },
  { package: '@xstate/store', files: /^(machines|actors|src\/debug-page)\//, reason: 'likewise, and what the page knows' },
  {
    package: '@sinclair/typebox',
    files: /^(src\/(http\/|mcp\/|config\.ts$|variables\.ts$)|actors\/session\/record\/document-schema\.ts$)/,
    reason: 'the language of schemas'
  },
  {
    package: 'msgpackr',
    files: /^src\/(storage\/record-codec|bus\/message-codec)\.ts$/,
    reason: 'what is stored and what crosses between nodes are packed apart'
  },
  { package: 'kysely', files: /^src\/storage\/sql\//, reason: 'the language of queries; the databases are reached by one file each' },
  {
    package: 'eventsource-parser',
    files: /^src\/(http\/chat\/events|client\/server-sent-events)\.ts$/,
    reason: 'what models and this service stream'
  },
  { package: '@modelcontextprotocol/sdk', files: /^src\/mcp\//, reason: 'the protocol: its server, and each of its two transports' },
  { package: 'commander', files: /^src\/cli\//, reason: 'the language of command lines' },
  { package: 'preact', files: /^src\/debug-page\//, reason: 'the language of views' },
  { package: 'fastify', files: /^src\/http\//, reason: 'routes and hooks are written against its types' },
  { package: 'esbuild', files: /^src\/tools\//, reason: 'the programs and the page are built apart' }
]

const everything = readSources(['src', 'actors', 'machines', 'test', 'bench', 'examples'])
// The command line ships the demo of the examples.
const product = new Map([...everything].filter(([path]) => /^(src|actors|machines|examples\/(demo|conversation))\//.test(path)))

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function importProblem(zone: Zone, { specifier, names, target }: Import): string | null {
  if (target === null) {
    const isHashing = specifier === 'node:crypto' && names.length > 0 && names.every((name) => HASHING.includes(name))
    return zone.packages.test(specifier) || isHashing ? null : `${zone.name} may not import ${specifier}`
  }
  const other = zoneOf(target)
  if (other === undefined) return `${zone.name} may not import ${target}`
  return other === zone || zone.knows.includes(other.name) ? null : `${zone.name} may not know ${other.name} (${target})`
}

check('layers: every import, one that its folder is allowed', product, (file) => {
  const zone = zoneOf(file.path)
  if (zone === undefined) return [`${file.path} belongs to no folder that the dependency rule knows`]
  const found: string[] = []
  for (const entry of file.imports) {
    const problem = importProblem(zone, entry)
    if (problem !== null) found.push(`${file.path}:${entry.line} ${problem}`)
  }
  return found
})

t.test('packages: each one, imported by a single file or for a listed reason', async (t) => {
  const users = new Map<string, Set<string>>()
  for (const file of product.values()) {
    for (const { specifier, target } of file.imports) {
      if (target !== null || specifier.startsWith('node:') || specifier.startsWith('.')) continue
      const name = packageOf(specifier)
      users.set(name, (users.get(name) ?? new Set()).add(file.path))
    }
  }
  for (const [name, paths] of users) {
    const shared = SHARED_PACKAGES.find((entry) => entry.package === name)
    const outside = [...paths].filter((path) => !(shared?.files.test(path) ?? false))
    t.ok(outside.length <= (shared === undefined ? 1 : 0), `${name}: ${outside.join(', ')}`)
  }
})

checkGlobals(product)
checkTests(new Map([...everything].filter(([path]) => /^(test|bench|examples)\//.test(path))))

check('files: at most 300 lines', everything, ({ path, text }) => {
  const lines = text.replace(/\n$/, '').split('\n').length
  return lines > 300 ? [`${path}: ${lines}`] : []
})

check('functions: at most 70 lines of their own', product, (file) =>
  syntaxRule((node) => {
    const lines = ts.isFunctionLike(node) ? ownLines(file.tree, node) : 0
    return lines > 70 ? `${lines} lines` : null
  })(file)
)

check('names: kebab-case nouns that say what a file holds', everything, ({ path }) => {
  const name = basename(path).replace(/(\.test)?\.ts$/, '')
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return [`${path}: not kebab-case`]
  return /^(index|utils?|helpers?|types|manager|common|misc)$/.test(name) ? [`${path}: says nothing`] : []
})

/** One names types of the actors for the rest of HTTP; the other is what the package exports. */
const DOORS = ['src/http/contract/contracts.ts', 'src/client/package-entry.ts']

check(
  'exports: named, where they are made',
  everything,
  syntaxRule((node, { path }) => {
    if (ts.isExportAssignment(node)) return 'default export'
    if (ts.isExportDeclaration(node) && (!DOORS.includes(path) || node.exportClause === undefined)) return 'export apart from what it names'
    const isDefault = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
    return isDefault === true ? 'default export' : null
  })
)

check(
  'enums: none, but unions of literals',
  everything,
  syntaxRule((node) => (ts.isEnumDeclaration(node) ? 'enum' : null))
)

check(
  'casts: none through unknown, no any',
  product,
  syntaxRule((node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any'
    if (!ts.isAsExpression(node) || !ts.isAsExpression(node.expression)) return null
    return node.expression.type.kind === ts.SyntaxKind.UnknownKeyword ? 'as unknown as' : null
  })
)

const COMMENT = /\/[/*]|^\s*\*/
const LEFT_FOR_LATER = /\b(?:TODO|FIXME|XXX)\b/

/** What the formatter leaves alone: lines of comments, as long as those of code may be. */
const COLUMNS_MAX = 140

check('comments: lines of at most 140 columns', everything, ({ path, text }) =>
  text.split('\n').flatMap((line, index) => (/^\s*(?:\/[/*]|\*)/.test(line) && line.length > COLUMNS_MAX ? [`${path}:${index + 1}`] : []))
)

check('comments: nothing left for later', everything, ({ path, text }) =>
  text
    .split('\n')
    .flatMap((line, index) => (LEFT_FOR_LATER.test(line) && COMMENT.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
)

const NOBODY_NAMED = /\b(?:to|for|by|from|with|of|than) who\b|\bwhoever\b/i

check('words: none of "to who" and "whoever", which name nobody', everything, ({ path, text }) =>
  path === 'test/tidy.test.ts'
    ? []
    : text.split('\n').flatMap((line, index) => (NOBODY_NAMED.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
)

t.test('circles: none of files, none of folders', async (t) => {
  const files = new Map([...product.values()].map(({ path, imports }) => [path, new Set(imports.flatMap(({ target }) => target ?? []))]))
  t.strictSame(circlesOf(files), [], 'files')
  const folders = new Map<string, Set<string>>()
  for (const [path, targets] of files) {
    // What lies directly in `src` belongs together with nothing: it is a folder of its own.
    const folder = folderOf(path)
    const known = folders.get(folder) ?? new Set()
    for (const target of targets) if (folderOf(target) !== folder) known.add(folderOf(target))
    folders.set(folder, known)
  }
  t.strictSame(circlesOf(folders), [], 'folders')
})

function folderOf(path: string): string {
  const folder = dirname(path)
  return folder === 'src' ? path : folder
}

t.test('files: every one of the product, reached from an entry point', async (t) => {
  const reached = reachableFrom(ENTRIES, product)
  t.strictSame(
    [...product.keys()].filter((path) => !reached.has(path)),
    []
  )
})

t.test('files: every one of the tests, a test or reached from one', async (t) => {
  const tests = [...everything.keys()].filter((path) => path.startsWith('test/'))
  const reached = reachableFrom(
    tests.filter((path) => path.endsWith('.test.ts')),
    everything
  )
  t.strictSame(
    tests.filter((path) => !reached.has(path)),
    []
  )
})
