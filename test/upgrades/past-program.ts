/** The code of a past version, taken from the history of the project and made a program. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Test } from 'tap'
import { PAST_VERSIONS } from './past-versions.js'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const SOURCES = ['src', 'actors', 'machines']
/** Bytes of an archive of the project: it has some 10 MB. */
const ARCHIVE_BYTES_MAX = 2 ** 28

function git(...args: readonly string[]): Buffer {
  return execFileSync('git', args, { cwd: HERE, maxBuffer: ARCHIVE_BYTES_MAX, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The commit of the version before this one. */
export function lastVersion(): string {
  return PAST_VERSIONS.at(-1)?.commit ?? ''
}

/** Why the last version cannot be made here; null where it can. */
export function whyNoHistory(): string | null {
  try {
    git('cat-file', '-e', `${lastVersion()}^{commit}`)
    return null
  } catch {
    return `The history of the project has no commit ${lastVersion()} here: git fetch --unshallow`
  }
}

/** Path of its service as JavaScript, with the packages of today; gone when the test ends. */
export async function pastProgram(t: Test, commit: string): Promise<string> {
  const root = git('rev-parse', '--show-toplevel').toString('utf8').trim()
  const folder = await mkdtemp(join(tmpdir(), 'past-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'code'))
  execFileSync('tar', ['-x', '-C', join(folder, 'code')], { input: git('-C', root, 'archive', commit, ...SOURCES, 'package.json') })
  await symlink(join(root, 'node_modules'), join(folder, 'code', 'node_modules'))
  const found = await Promise.all(
    SOURCES.map(async (source) => {
      const paths = await readdir(join(folder, 'code', source), { recursive: true })
      return paths.filter((path) => path.endsWith('.ts')).map((path) => join(source, path))
    })
  )
  await build({
    absWorkingDir: join(folder, 'code'),
    entryPoints: found.flat(),
    outbase: '.',
    outdir: '.',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error'
  })
  return join(folder, 'code', 'src', 'main.js')
}
