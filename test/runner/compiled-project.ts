/**
 * Compiles the project to JavaScript: every source, test, benchmark and example once, in a folder with the project's own layout, so that
 * relative paths mean the same. The folder's name is a digest of its content: runs reuse what an earlier one compiled, and concurrent runs
 * do not change each other's files. Types are not checked; `npm run check` does that.
 */
import { createHash } from 'node:crypto'
import { cp, readdir, readFile, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build, type Plugin, version } from 'esbuild'
import { bundlePackages } from './bundled-packages.js'
import { exists, outputFolder } from './output-folder.js'

const SOURCE_FOLDERS = ['src', 'actors', 'machines', 'test', 'bench', 'examples']
/** Ignored by git, and inside the project, so that its packages are found. */
const OUTPUT = '.tap/compiled'
/** Not linked into the compiled folder: compiled there, found from its parents, or not needed by tests. */
const LEFT_OUT = new Set([...SOURCE_FOLDERS, 'node_modules', 'dist', '.tap', '.git'])

const TAP_IMPORT = /^import (\w+)(.*) from 'tap'$/m

/**
 * Gives each test file the `t` that a shared process (`shared-process.ts`) holds for it, or else tap's own. A module loader hook could do
 * the same, but it runs in a thread of its own, for which every import of every process would wait.
 */
const OWN_SCOPES: Plugin = {
  name: 'own scopes',
  setup({ onLoad, initialOptions: { absWorkingDir } }) {
    const scoped = (_: string, name: string, more: string) =>
      `import ${name}Whole${more} from 'tap'; const ${name} = globalThis.testScopes?.get(import.meta.url) ?? ${name}Whole`
    const filter = /\.test\.ts$/
    onLoad({ filter }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(TAP_IMPORT, scoped),
      loader: 'ts',
      resolveDir: absWorkingDir ?? ''
    }))
  }
}

/** Compiles the project under `root`, unless an earlier run did. Resolves to the folder, with a slash at its end. */
export async function compileProject(root: string): Promise<string> {
  const files = await listFiles(root)
  const output = resolve(root, OUTPUT)
  const packages = await bundlePackages(root)
  const folder = await outputFolder(output, await digestOf(root, files, packages), (unfinished) =>
    compileInto(unfinished, root, files, packages)
  )
  return `${folder}/`
}

async function compileInto(folder: string, root: string, files: readonly string[], packages: string | null): Promise<void> {
  await Promise.all([
    build({
      absWorkingDir: resolve(root),
      entryPoints: files.filter((path) => path.endsWith('.ts')),
      outbase: '.',
      outdir: folder,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      logLevel: 'error',
      plugins: [OWN_SCOPES]
    }),
    // Some tests read the sources, and the debugger's page is built from its own.
    ...files.map((path) => cp(resolve(root, path), join(folder, path), { preserveTimestamps: true })),
    ...(packages === null ? [] : [symlink(packages, join(folder, 'node_modules'))]),
    ...(await namesBeside(root)).map((name) => symlink(resolve(root, name), join(folder, name)))
  ])
}

/** Names of the files and folders that the compiled folder links to. */
async function namesBeside(root: string): Promise<string[]> {
  return (await readdir(root)).filter((name) => !LEFT_OUT.has(name) && !name.endsWith('.log')).sort()
}

async function listFiles(root: string): Promise<string[]> {
  const listed = await Promise.all(
    SOURCE_FOLDERS.map(async (folder) => {
      if (!(await exists(join(root, folder)))) return []
      const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length))
    })
  )
  return listed.flat().sort()
}

/** Digest of every file's path and bytes, the linked names, and everything else that the result depends on. */
async function digestOf(root: string, files: readonly string[], packages: string | null): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([version, String(TAP_IMPORT), resolve(root), packages, await namesBeside(root)]))
  const texts = await Promise.all(files.map((path) => readFile(join(root, path))))
  for (const [index, path] of files.entries()) hash.update(`\0${path}\0${String(texts[index]?.length)}\0`).update(texts[index] ?? '')
  return hash.digest('hex').slice(0, 16)
}
