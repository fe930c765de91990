/** Blocks of code in the documents that are not run: TypeScript is checked by the compiler, JSON and YAML by their parsers. */
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { parseDocument } from 'yaml'
import { codeBlocks, markdownFiles, ROOT } from './markdown-files.js'

const blocks = markdownFiles().flatMap(({ path, text }) => codeBlocks(text).map((block) => ({ path, ...block })))
const of = (...languages: readonly string[]) => blocks.filter(({ language }) => languages.includes(language))

t.test('documents: their JSON can be read', async (t) => {
  t.ok(of('json').length > 50)
  for (const { path, text } of of('json')) t.doesNotThrow(() => JSON.parse(text) as unknown, `${path}: ${text.slice(0, 80)}`)
})

t.test('documents: their YAML can be read', async (t) => {
  for (const { path, text } of of('yaml')) t.strictSame(parseDocument(text).errors, [], path)
})

t.test('documents: their TypeScript has no error of types', async (t) => {
  // Inside the project, where packages are found.
  const folder = join(ROOT, 'test', 'documents', '.blocks')
  const files = of('ts').map(({ path, text }, index) => ({
    path,
    text: `${text}\nexport {}\n`,
    file: join(folder, `block-${String(index)}.ts`)
  }))
  t.ok(files.length > 0)
  const texts = new Map(files.map(({ file, text }) => [file, text]))
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    paths: { 'engram/client': [join(ROOT, 'src/client/package-entry.ts')] }
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => texts.has(name) || fileExists(name)
  host.readFile = (name) => texts.get(name) ?? readFile(name)
  host.getSourceFile = (name, version) => {
    const text = texts.get(name)
    return text === undefined ? getSourceFile(name, version) : ts.createSourceFile(name, text, version)
  }
  const program = ts.createProgram([...texts.keys()], options, host)
  const found = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const page = files.find((one) => one.file === file?.fileName)?.path ?? 'a package'
    return `${page}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
  t.strictSame(found, [])
})
