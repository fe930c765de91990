/** Builds the service of a past version from the project's git history. */
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
/** Most bytes of an archive of the project, which has some 10 MB. */
const ARCHIVE_BYTES_MAX = 2 ** 28

function git(...args: readonly string[]): Buffer {
  return execFileSync('git', args, { cwd: HERE, maxBuffer: ARCHIVE_BYTES_MAX, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Commit of the last past version. */
export function lastVersion(): string {
  return PAST_VERSIONS.at(-1)?.commit ?? ''
}

/** Why the last version cannot be built here; null if it can. */
export function whyNoHistory(): string | null {
  try {
    git('cat-file', '-e', `${lastVersion()}^{commit}`)
    return null
  } catch {
    return `The history of the project has no commit ${lastVersion()} here: git fetch --unshallow`
  }
}

/** Builds the version of a commit with today's packages. Resolves with the path of its service as JavaScript, removed after the test. */
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
