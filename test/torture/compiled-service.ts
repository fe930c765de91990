/** The service as JavaScript, from the sources as they are: it starts several times as fast as through a loader. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export interface CompiledService {
  /** Path of what became of a source, by its path from the project's root. */
  program(source: string): string
  remove(): Promise<void>
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['src', 'actors', 'machines']
/** Ignored by git, and inside the project: packages are found from there. */
const OUTPUT = '.tap'

/** Compiles the service, and `others`, given by their absolute paths. Types are not checked: that is `npm run check`. */
export async function compileService(others: readonly string[]): Promise<CompiledService> {
  await mkdir(join(ROOT, OUTPUT), { recursive: true })
  const output = await mkdtemp(join(ROOT, OUTPUT, 'service-'))
  const compiled = (source: string) => join(output, source.replace(/\.ts$/, '.js'))
  for (const source of [...(await sources()), ...others.map((path) => relative(ROOT, path))]) {
    const text = await readFile(join(ROOT, source), 'utf8')
    const { outputText } = ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext } })
    await mkdir(dirname(compiled(source)), { recursive: true })
    await writeFile(compiled(source), outputText)
  }
  return { program: compiled, remove: () => rm(output, { recursive: true }) }
}

async function sources(): Promise<string[]> {
  const listed = await Promise.all(FOLDERS.map(async (folder) => (await readdir(join(ROOT, folder), { recursive: true })).map((path) => join(folder, path))))
  return listed.flat().filter((path) => path.endsWith('.ts'))
}
