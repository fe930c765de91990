/**
 * The project as plain JavaScript: a folder that looks like the project's own, so that paths beside a module mean the same, with every
 * source, test, benchmark and example compiled once. Its name is a digest of what is in it: a run finds what an earlier one left, and
 * two runs at a time never change each other's. Types are not checked: that is `npm run check`.
 */
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build, version } from 'esbuild'

export const SOURCE_FOLDERS = ['src', 'actors', 'machines', 'test', 'bench', 'examples']
/** Ignored by git, and inside the project: packages are found from there. */
const OUTPUT = '.tap/compiled'
/** Found from the compiled folder's parents, or not looked for by anything that is run. */
const LEFT_OUT = new Set([...SOURCE_FOLDERS, 'node_modules', 'dist', '.tap', '.git'])
/** What no run has used for so long goes. */
const KEPT_MS = 86_400_000

/** Compiles what is under `root`, unless that was done before. Resolves to the folder, with a slash at its end. */
export async function compileProject(root: string): Promise<string> {
  const files = await listFiles(root)
  const output = resolve(root, OUTPUT)
  const folder = join(output, await digestOf(root, files))
  if (!(await exists(folder))) {
    await mkdir(output, { recursive: true })
    const unfinished = await mkdtemp(join(output, 'new-'))
    await compileInto(unfinished, root, files)
    // Another run may have been faster: its folder is the same.
    await rename(unfinished, folder).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true })
      if (!(await exists(folder))) throw error
    })
  }
  const now = new Date()
  await utimes(folder, now, now)
  await removeUnused(output, now.getTime())
  return `${folder}/`
}

async function compileInto(folder: string, root: string, files: readonly string[]): Promise<void> {
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
      logLevel: 'error'
    }),
    // Some tests read the sources, and the debugger's page is built of its own.
    ...files.map((path) => cp(resolve(root, path), join(folder, path), { preserveTimestamps: true })),
    ...(await namesBeside(root)).map((name) => symlink(resolve(root, name), join(folder, name)))
  ])
}

/** What the compiled folder has by links alone. */
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

/** Over every file's path and bytes, the names beside them, and what else decides the result. */
async function digestOf(root: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([version, resolve(root), await namesBeside(root)]))
  const texts = await Promise.all(files.map((path) => readFile(join(root, path))))
  for (const [index, path] of files.entries()) hash.update(`\0${path}\0${String(texts[index]?.length)}\0`).update(texts[index] ?? '')
  return hash.digest('hex').slice(0, 16)
}

async function removeUnused(output: string, nowMs: number): Promise<void> {
  for (const name of await readdir(output)) {
    const found = await stat(join(output, name)).catch(() => null)
    if (found !== null && nowMs - found.mtimeMs > KEPT_MS) await rm(join(output, name), { recursive: true, force: true })
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false
  )
}
