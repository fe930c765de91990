/** What ships, built once however many tests need it: laying out the page's charts takes longer than most of them. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { compileProject } from '../runner/compiled-project.js'
import { outputFolder } from '../runner/output-folder.js'
import { projectRoot } from './project-root.js'

/** Of the tree that this file is in: the project's own, or the compiled one. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Ignored by git. */
const OUTPUT = '.tap/built'
/** Set where a module of the tree may differ from run to run, and which ones a program runs is of interest: `npm run mutation`. */
const IS_CHANGING = process.env['CHANGING_TREE'] !== undefined

/** What programs are built from. */
const BUILT_FROM = ['package.json', 'nats.conf', 'src', 'actors', 'machines', 'examples']
const isWritten = (path: string) => !/\.js(\.map)?$/.test(path)

type Program = 'src/main' | 'src/cli/engram'

/** Path of a program: its start takes half as long as that of its modules one by one, which are taken where they may change. */
export async function builtProgram(program: Program): Promise<string> {
  if (IS_CHANGING) return join(ROOT, `${program}.js`)
  const folder = await built('programs', async (folder) => {
    const { buildPrograms } = await import('../../src/tools/program-build.js')
    // As in a clone, where no module lies compiled beside its source.
    const clone = await mkdtemp(join(projectRoot(), OUTPUT, 'clone-'))
    for (const name of BUILT_FROM) await cp(join(ROOT, name), join(clone, name), { recursive: true, filter: isWritten })
    await buildPrograms(clone, join(folder, '/'))
    await rm(clone, { recursive: true })
  })
  return join(folder, `${program}.js`)
}

/** Folder of the debugger's page. */
export function builtPage(): Promise<string> {
  return built('page', async (folder) => (await import('../../src/tools/debug-page-build.js')).buildDebugPage(folder))
}

/** The client's one module. */
export async function builtClient(): Promise<string> {
  const folder = await built('client', async (folder) => (await import('../../src/tools/client-build.js')).buildClient(ROOT, folder))
  return readFile(join(folder, 'package-entry.js'), 'utf8')
}

/** Under the name of the compiled tree, which is a digest of all that is in it; where it may change, for one process of tests alone. */
async function built(name: string, build: (folder: string) => Promise<unknown>): Promise<string> {
  const compiled = import.meta.url.endsWith('.js') ? ROOT : await compileProject(ROOT)
  const output = IS_CHANGING ? join(tmpdir(), 'built') : join(projectRoot(), OUTPUT)
  return outputFolder(output, `${basename(compiled)}-${name}`, async (folder) => {
    await build(folder)
  })
}
