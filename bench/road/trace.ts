/** Traces one warm run of a session through the service: the functions it enters, in order. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { createService } from '../../src/service.js'
import type { readConfig } from '../../src/config.js'
import { createSystemClock } from '../../src/platform/clock.js'
import type { Clock } from '../../src/ports.js'
import { ENTERED, instrument } from './instrument.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Inside the project, because packages are resolved from there. */
const OUTPUT = join(ROOT, '.tap', 'road')

/** Runs before the traced one: the session exists, its topics are known, and nothing happens for the first time. */
const RUNS_BEFORE = 12

export interface Entered {
  /** Relative to the root, with slashes. */
  readonly file: string
  readonly name: string
}

/** A stopped clock, so that no work is split because it took long, and equal runs give equal traces. */
function standingClock(): Clock {
  return { ...createSystemClock(), monotonicMs: () => 0 }
}

interface Instrumented {
  readonly createService: typeof createService
  readonly readConfig: typeof readConfig
}

/** Returns every function of the project that the run enters, in order, from the request to its answer. */
export async function traceRun(): Promise<Entered[]> {
  const { createService, readConfig } = await loadInstrumented()
  const config = readConfig({
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_LOG_LEVEL: 'silent'
  })
  const service = await createService(config, { clock: standingClock() })
  await service.start()
  const entered: Entered[] = []
  const run = async (at: number): Promise<void> => {
    const payload = { session_id: 'road', message: `How do I reset password number ${String(at)} of the harbour gate?` }
    const { statusCode } = await service.http.inject({ method: 'POST', url: '/v1/run', payload })
    if (statusCode !== 200) throw new Error(`The run was answered ${String(statusCode)}`)
  }
  try {
    for (let at = 0; at < RUNS_BEFORE; at++) await run(at)
    listener = (file, name) => void entered.push({ file, name })
    await run(RUNS_BEFORE)
  } finally {
    listener = () => undefined
    await service.close()
  }
  return entered
}

let listener: (file: string, name: string) => void = () => undefined

/** Bundles the service from instrumented sources. */
async function loadInstrumented(): Promise<Instrumented> {
  const outfile = join(OUTPUT, `${String(process.pid)}.mjs`)
  await mkdir(OUTPUT, { recursive: true })
  try {
    await build({
      stdin: {
        contents: `export { createService } from './src/service.ts'\nexport { readConfig } from './src/config.ts'`,
        resolveDir: ROOT
      },
      outfile,
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20',
      banner: { js: `const ${ENTERED} = (file, name) => globalThis.${ENTERED}(file, name);` },
      plugins: [
        {
          name: 'instrument',
          setup(plugin) {
            // A compiled file may lie beside each source.
            plugin.onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, resolveDir }) => ({
              path: resolve(resolveDir, path.replace(/\.js$/, '.ts'))
            }))
            plugin.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
              contents: instrument(relative(ROOT, path).split(sep).join('/'), await readFile(path, 'utf8')),
              loader: 'ts' as const
            }))
          }
        }
      ],
      logLevel: 'error'
    })
    Object.assign(globalThis, { [ENTERED]: (file: string, name: string) => listener(file, name) })
    return (await import(pathToFileURL(outfile).href)) as Instrumented
  } finally {
    await rm(outfile, { force: true })
  }
}
