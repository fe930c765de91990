/** Shipped artefacts, built once for all tests that need them: laying out the page's charts takes longer than most tests. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { compileProject } from '../runner/compiled-project.js'
import { outputFolder } from '../runner/output-folder.js'
import { projectRoot } from './project-root.js'

/** Root of the tree that contains this file: the project, or its compiled copy. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Ignored by git. */
const OUTPUT = '.tap/built'
/** Set by `npm run mutation`: modules of the tree may differ between runs, and it matters which ones a program runs. */
const IS_CHANGING = process.env['CHANGING_TREE'] !== undefined

/** Inputs of the programs' build. */
const BUILT_FROM = ['package.json', 'nats.conf', 'src', 'actors', 'machines', 'examples']
const isWritten = (path: string) => !/\.js(\.map)?$/.test(path)

type Program = 'src/main' | 'src/cli/engram'

/** Returns the path of a program. The bundle starts twice as fast as separate modules; the modules are used where they may change. */
export async function builtProgram(program: Program): Promise<string> {
  if (IS_CHANGING) return join(ROOT, `${program}.js`)
  const folder = await built('programs', async (folder) => {
    const { buildPrograms } = await import('../../src/tools/program-build.js')
    // As in a clone, where no compiled module lies beside its source.
    const clone = await mkdtemp(join(projectRoot(), OUTPUT, 'clone-'))
    for (const name of BUILT_FROM) await cp(join(ROOT, name), join(clone, name), { recursive: true, filter: isWritten })
    await buildPrograms(clone, join(folder, '/'))
    await rm(clone, { recursive: true })
  })
  return join(folder, `${program}.js`)
}

/** Returns the folder of the debugger's page. */
export function builtPage(): Promise<string> {
  return built('page', async (folder) => (await import('../../src/tools/debug-page-build.js')).buildDebugPage(folder))
}

/** Returns the client's single module. */
export async function builtClient(): Promise<string> {
  const folder = await built('client', async (folder) => (await import('../../src/tools/client-build.js')).buildClient(ROOT, folder))
  return readFile(join(folder, 'package-entry.js'), 'utf8')
}

/**
 * Caches builds by the name of the compiled tree, which is a digest of its contents. Where that may change, the cache is used by a single
 * process of tests.
 */
async function built(name: string, build: (folder: string) => Promise<unknown>): Promise<string> {
  const compiled = import.meta.url.endsWith('.js') ? ROOT : await compileProject(ROOT)
  const output = IS_CHANGING ? join(tmpdir(), 'built') : join(projectRoot(), OUTPUT)
  return outputFolder(output, `${basename(compiled)}-${name}`, async (folder) => {
    await build(folder)
  })
}
