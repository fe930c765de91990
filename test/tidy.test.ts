/**
 * The house rules, run as a test: which folder may know which, who may read the clock or the environment,
 * how large a file grows, and that nothing lies about unused. A rule that is in the way is changed here, with its reason.
 */
import { basename, dirname } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { circlesOf, type Import, lineOf, ownLines, reachableFrom, readSources, type SourceFile, walk } from './source-files.js'
import { ADAPTERS, ENTRIES, type Zone, ZONES } from './zones.js'

/** Hashing is arithmetic, although Node.js keeps it beside the random numbers; only this one name is let in. */
const HASHING = 'createHash'

/** Packages that more than one file may import, and why. Every other one is known to a single file. */
const SHARED_PACKAGES: readonly { readonly package: string; readonly files: RegExp; readonly reason: string }[] = [
  { package: 'xstate', files: /^(machines|actors)\//, reason: 'the language that machines and actors are written in' },
  { package: '@xstate/store', files: /^(machines|actors|src\/debug-page)\//, reason: 'likewise, and what the page knows' },
  {
    package: '@sinclair/typebox',
    files: /^(src\/(http\/|config\.ts$|variables\.ts$)|actors\/session\/record\/document-schema\.ts$)/,
    reason: 'the language of schemas'
  },
  {
    package: 'msgpackr',
    files: /^src\/(storage\/record-codec|bus\/message-codec)\.ts$/,
    reason: 'what is stored and what crosses between nodes are packed apart'
  },
  { package: 'kysely', files: /^src\/storage\/sql\//, reason: 'the language of queries; the databases are reached by one file each' },
  { package: 'preact', files: /^src\/debug-page\//, reason: 'the language of views' },
  { package: 'fastify', files: /^src\/http\//, reason: 'routes and hooks are written against its types' },
  { package: 'esbuild', files: /^src\/tools\//, reason: 'the programs and the page are built apart' }
]

const product = readSources(['src', 'actors', 'machines'])
const everything = readSources(['src', 'actors', 'machines', 'test', 'bench', 'examples'])

/** One line a violation, so that a failure names all of them. */
type Rule = (file: SourceFile) => string[]

function check(name: string, files: ReadonlyMap<string, SourceFile>, rule: Rule): void {
  t.test(name, async (t) => {
    t.strictSame([...files.values()].flatMap(rule), [])
  })
}

/** A rule over syntax: `find` says what is wrong with a node, or nothing. */
function syntaxRule(find: (node: ts.Node, file: SourceFile) => string | null): Rule {
  return (file) => {
    const found: string[] = []
    walk(file.tree, (node) => {
      const problem = find(node, file)
      if (problem !== null) found.push(`${file.path}:${lineOf(file.tree, node)} ${problem}`)
    })
    return found
  }
}

function zoneOf(path: string): Zone | undefined {
  return ZONES.find((zone) => zone.files.test(path))
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function importProblem(zone: Zone, { specifier, names, target }: Import): string | null {
  if (target === null) {
    const isHashing = specifier === 'node:crypto' && names.length === 1 && names[0] === HASHING
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

check(
  'environment: read in src/config.ts only',
  product,
  syntaxRule((node, { path }) => {
    if (path === 'src/config.ts' || !ts.isPropertyAccessExpression(node)) return null
    return /^(globalThis\.)?process\.env$/.test(node.getText()) ? 'process.env' : null
  })
)

const CLOCKS =
  /^(Date\.now|performance\.now|process\.(hrtime|uptime)|AbortSignal\.timeout|Math\.random|crypto\.(randomUUID|getRandomValues))$/
const TIMERS = /^(setTimeout|setInterval|setImmediate|queueMicrotask)$/
const RANDOM_IMPORTS = /^(randomUUID|randomBytes|randomInt|webcrypto)$/

check('time and chance: adapters, entry points and the page only', product, (file) => {
  const zone = zoneOf(file.path)?.name ?? ''
  if (ADAPTERS.includes(zone) || zone === 'entries' || zone === 'debug page') return []
  const imported = file.imports
    .filter(({ specifier, names }) => /^node:(timers|perf_hooks)/.test(specifier) || names.some((name) => RANDOM_IMPORTS.test(name)))
    .map(({ specifier, line }) => `${file.path}:${line} ${specifier}`)
  const used = syntaxRule((node) => {
    if (ts.isPropertyAccessExpression(node) && CLOCKS.test(node.getText())) return node.getText()
    if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments ?? []).length === 0) return 'new Date()'
    return ts.isCallExpression(node) && TIMERS.test(node.expression.getText()) ? node.expression.getText() : null
  })(file)
  return [...imported, ...used]
})

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

check(
  'exports: named, where they are made',
  everything,
  syntaxRule((node) => {
    if (ts.isExportAssignment(node)) return 'default export'
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) return 're-export'
    const isDefault = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
    return isDefault === true ? 'default export' : null
  })
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

const LEFT_FOR_LATER = /(\/\/|\/\*|^\s*\*).*\b(TODO|FIXME|XXX)\b/

check('comments: nothing left for later', everything, ({ path, text }) =>
  text.split('\n').flatMap((line, index) => (LEFT_FOR_LATER.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
)

check(
  'tests: none set aside, none alone; a skip has its reason',
  everything,
  syntaxRule((node) => {
    const name = ts.isPropertyAccessExpression(node) || ts.isPropertyAssignment(node) ? node.name.getText() : ''
    if (!/^(only|skip|todo)$/.test(name)) return null
    if (ts.isPropertyAccessExpression(node)) {
      const isCall = ts.isCallExpression(node.parent) && node.parent.expression === node
      return isCall && /^(t|tap|test)$/.test(node.expression.getText()) ? `.${name}()` : null
    }
    return ts.isPropertyAssignment(node) && node.initializer.kind === ts.SyntaxKind.TrueKeyword ? `${name}: true` : null
  })
)

/** A subject, a comma, its verb. What goes on with a conjunction may be a list of verbs, which a machine does not tell apart. */
const COMMA_BEFORE_VERB = /(?:^.|[;:] )[^,;:]+, (?:is|are|was|were|has|have|does|do|did|may|can|cannot|must)\b(?![^;:]* (?:and|or) )/

/** The name of a test, with its quotes: what `test` is called with, or a key of a contract. */
function testNameOf(node: ts.Node): ts.Node | undefined {
  if (ts.isPropertyAssignment(node)) return ts.isArrowFunction(node.initializer) ? node.name : undefined
  return ts.isCallExpression(node) && /(^|\.)test$/.test(node.expression.getText()) ? node.arguments[0] : undefined
}

check(
  'tests: names without a comma between subject and verb',
  everything,
  syntaxRule((node, { path }) => {
    const name = path.startsWith('test/') ? (testNameOf(node)?.getText() ?? '') : ''
    return COMMA_BEFORE_VERB.test(name) ? name : null
  })
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
