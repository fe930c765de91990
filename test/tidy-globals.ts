/** Rules for access to the outside: the clock, randomness, the environment and modules, in any notation. */
import ts from 'typescript'
import type { SourceFile } from './source-files.js'
import { check, isReference, membersRead, syntaxRule } from './source-rules.js'
import { ADAPTERS, zoneOf } from './zones.js'

/** Globals for the clock, randomness or timers, with the members that are pure arithmetic and therefore allowed. */
const MEMBERS_ALLOWED: Readonly<Record<string, RegExp>> = {
  Date: /^(parse|UTC)$/,
  Math: /^(?!random$|\*$)/,
  AbortSignal: /^(any|abort)$/,
  process: /^(?!hrtime$|uptime$|\*$)/
}
const NEVER = ['performance', 'crypto', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']
const RANDOM_IMPORTS = /^(randomUUID|randomBytes|randomInt|webcrypto|\*)$/

/** Zones that use the real ones: adapters, programs, and code that runs at callers of the service. */
const REAL = new Set([...ADAPTERS, 'entries', 'demonstration', 'debug page', 'client'])

function isReal({ path }: SourceFile): boolean {
  return REAL.has(zoneOf(path)?.name ?? '')
}

/** Whether it is `new Date(ms)`, which is arithmetic; without arguments it reads the clock. */
function isMadeOf(node: ts.Node): boolean {
  return ts.isNewExpression(node.parent) && node.parent.expression === node && (node.parent.arguments ?? []).length > 0
}

/** Whether the file, or a function around the node, declares the name of a global itself. */
function isOwn(node: ts.Node, name: string): boolean {
  for (let scope = node.parent as ts.Node | undefined; scope !== undefined; scope = scope.parent as ts.Node | undefined) {
    if (ts.isFunctionLike(scope) && scope.parameters.some((parameter) => namesIn(parameter.name).includes(name))) return true
    const statements = ts.isBlock(scope) || ts.isSourceFile(scope) ? scope.statements : []
    for (const statement of statements) {
      if (!ts.isVariableStatement(statement)) continue
      if (statement.declarationList.declarations.some((one) => namesIn(one.name).includes(name))) return true
    }
  }
  return false
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []))
}

/** Files that may load modules other than by imports, with the reason. */
const LOADERS: Readonly<Record<string, string>> = {
  'src/http/documentation/pages.ts': 'the files of a package that is no module'
}

/** Runs one test per rule. */
export function checkGlobals(product: ReadonlyMap<string, SourceFile>): void {
  check('time and chance: adapters, programs and the page only', product, (file) => {
    if (isReal(file)) return []
    const imported = file.imports
      .filter(({ specifier, names }) => /^node:(timers|perf_hooks)/.test(specifier) || names.some((name) => RANDOM_IMPORTS.test(name)))
      .map(({ specifier, line }) => `${file.path}:${line} ${specifier}`)
    const used = syntaxRule((node) => {
      for (const name of NEVER) if (isReference(node, name) && !isOwn(node, name)) return name
      for (const [name, allowed] of Object.entries(MEMBERS_ALLOWED)) {
        const members = membersRead(node, name)
        if (members === null || isMadeOf(node) || isOwn(node, name)) continue
        const bad = members.find((member) => !allowed.test(member))
        if (bad !== undefined) return `${name}.${bad}`
      }
      return null
    })(file)
    return [...imported, ...used]
  })

  check('environment: read in src/config.ts only', product, (file) => {
    if (file.path === 'src/config.ts') return []
    const imported = file.imports.filter(({ specifier, names }) => /^(node:)?process$/.test(specifier) && names.includes('env'))
    const used = syntaxRule((node) => {
      return membersRead(node, 'process')?.includes('env') === true && !isOwn(node, 'process') ? 'process.env' : null
    })(file)
    return [...imported.map(({ line }) => `${file.path}:${line} env`), ...used]
  })

  check('modules: imported by their name', product, (file) =>
    file.path in LOADERS
      ? []
      : [
          ...file.imports
            .filter(({ specifier }) => /^(node:)?module$/.test(specifier))
            .map(({ line }) => `${file.path}:${line} node:module`),
          ...syntaxRule((node) => {
            if (isReference(node, 'globalThis')) return 'globalThis'
            if (isReference(node, 'eval') || isReference(node, 'Function')) return node.getText()
            const isImport = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
            return isImport && !node.arguments.some(ts.isStringLiteralLike) ? 'import of what is not named' : null
          })(file)
        ]
  )
}
