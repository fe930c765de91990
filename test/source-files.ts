/** The project's own TypeScript files, parsed, for the house rules in `tidy.test.ts`. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

export interface Import {
  /** Module specifier as written, such as `node:fs` or `../ports.js`. */
  readonly specifier: string
  readonly line: number
  /** Imported names; empty for a dynamic import or one for its side effects. */
  readonly names: readonly string[]
  /** True if nothing of it is left at run time. */
  readonly isType: boolean
  /** Path, from the root, of the imported file of the project; null for packages. */
  readonly target: string | null
}

export interface SourceFile {
  /** Path from the root, with slashes. */
  readonly path: string
  readonly text: string
  readonly tree: ts.SourceFile
  readonly imports: readonly Import[]
}

/** Paths of every TypeScript file under `folders`, from the root, with slashes. */
export function sourcePaths(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => listed(join(ROOT, folder)))
}

/** Every TypeScript file under `folders`, by path from the root. */
export function readSources(folders: readonly string[]): Map<string, SourceFile> {
  const paths = sourcePaths(folders)
  const known = new Set(paths)
  return new Map(paths.map((path) => [path, parse(path, known)]))
}

/** Visits `node` and everything under it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => {
    walk(child, visit)
  })
}

/** Line of `node`, counted from 1. */
export function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
}

/** Number of lines of a function, without those of the functions inside it, which are counted separately. */
export function ownLines(tree: ts.SourceFile, fn: ts.Node): number {
  let inner = 0
  ts.forEachChild(fn, function visit(node: ts.Node): void {
    if (ts.isFunctionLike(node)) inner += Math.max(0, span(tree, node) - 1)
    else ts.forEachChild(node, visit)
  })
  return span(tree, fn) - inner
}

/**
 * All files that `entries` reach: by imports, static or dynamic, and by strings that name a module, relative (a worker's program) or from
 * the root.
 */
export function reachableFrom(entries: readonly string[], sources: ReadonlyMap<string, SourceFile>): Set<string> {
  const reached = new Set<string>()
  const open = [...entries]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = sources.get(path)
    if (file === undefined || reached.has(path)) continue
    reached.add(path)
    walk(file.tree, (node) => {
      if (!ts.isStringLiteralLike(node)) return
      const target = sources.has(node.text) ? node.text : targetOf(path, node.text, sources)
      if (target !== null) open.push(target)
    })
  }
  return reached
}

/** Groups of names that reach each other, each sorted. Method: Tarjan's algorithm. */
export function circlesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const circles: string[][] = []
  function visit(name: string): number {
    const number = order.size
    order.set(name, number)
    lowest.set(name, number)
    path.push(name)
    for (const next of graph.get(name) ?? []) {
      const known = order.get(next)
      const reached = known === undefined ? visit(next) : path.includes(next) ? known : number
      lowest.set(name, Math.min(lowest.get(name) ?? number, reached))
    }
    const low = lowest.get(name) ?? number
    if (low === number) {
      const circle = path.splice(path.indexOf(name))
      if (circle.length > 1) circles.push(circle.sort())
    }
    return low
  }
  for (const name of graph.keys()) if (!order.has(name)) visit(name)
  return circles
}

function listed(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort()
}

function parse(path: string, known: ReadonlySet<string>): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  const imports: Import[] = []
  walk(tree, (node) => {
    const found = importIn(node)
    if (found === null) return
    imports.push({ ...found, line: lineOf(tree, node), target: targetOf(path, found.specifier, known) })
  })
  return { path, text, tree, imports }
}

function importIn(node: ts.Node): Pick<Import, 'specifier' | 'names' | 'isType'> | null {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const bindings = node.importClause?.namedBindings
    const elements = bindings !== undefined && ts.isNamedImports(bindings) ? [...bindings.elements] : []
    const isAllTypes = elements.length > 0 && elements.every((element) => element.isTypeOnly) && node.importClause?.name === undefined
    return {
      specifier: node.moduleSpecifier.text,
      names: elements.map((element) => (element.propertyName ?? element.name).text),
      isType: node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword || isAllTypes
    }
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return { specifier: node.argument.literal.text, names: [], isType: true }
  }
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  const argument = isDynamic ? node.arguments[0] : undefined
  if (argument === undefined || !ts.isStringLiteralLike(argument)) return null
  return { specifier: argument.text, names: [], isType: false }
}

/** The file of the project that a relative module name refers to, with or without its extension. */
function targetOf(from: string, specifier: string, known: { has(path: string): boolean }): string | null {
  if (!specifier.startsWith('./') && !specifier.startsWith('../')) return null
  const path = relative(ROOT, resolve(ROOT, dirname(from), specifier))
  const candidates = [path.replace(/\.js$/, '.ts'), `${path}.ts`]
  return candidates.find((candidate) => known.has(candidate)) ?? null
}

function span(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getEnd()).line - tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
}
