/**
 * Bundles the programs that ship. Unbundled, a start read more than a thousand small modules, which took longer than everything else. Each
 * program becomes one file, with chunks beside it that are loaded on demand.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'

/** Entry points of programs and threads. They find each other by their relative paths. */
const PROGRAMS = ['src/main', 'src/cli/engram', 'src/embedders/encoder-main', 'src/storage/sql/sqlite-main', 'src/vectors/scan-main']

/** Packages that export traces, used only if a collector is configured. */
const TELEMETRY = ['sdk-trace-base', 'resources', 'exporter-trace-otlp-http', 'exporter-trace-otlp-proto'].map(
  (name) => `@opentelemetry/${name}`
)

/** Packages that only some configurations load, or that have binaries or files of their own: not bundled. */
const INSTALLED = [
  ...TELEMETRY,
  'ioredis',
  'kysely',
  'libsql',
  'mongodb',
  'msgpackr',
  'nats',
  'onnxruntime-node',
  'pg',
  'redoc',
  'swagger-ui-dist'
]

/**
 * Imports of `@xenova/transformers` that texts do not need: images, by a native library that is downloaded on installation, and the browser
 * runtime. The library refuses to load without an object for images.
 */
const UNNEEDED = /^(?:sharp|onnxruntime-web)$/

/** Folder of the chunks that several programs share: that of the first program. */
const PIECES = 'src'

/**
 * Writes the programs below `output`, at the relative paths of their sources below `root`, with the files that they read. `others` are
 * paths of programs that do not ship, such as `bench/served`, built from the same chunks.
 */
export async function buildPrograms(root: string, output: string, others: readonly string[] = []): Promise<Metafile> {
  await mkdir(output, { recursive: true })
  await copyFile(join(root, 'nats.conf'), join(output, 'nats.conf'))
  const { name, version, type } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, string>
  await writeFile(join(output, 'package.json'), `${JSON.stringify({ name, version, type })}\n`)
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: Object.fromEntries([...PROGRAMS, ...others].map((path) => [path, `${path}.ts`])),
    outdir: output,
    bundle: true,
    splitting: true,
    chunkNames: `${PIECES}/[name]-[hash]`,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // The debugger's page is already built wherever programs are.
    external: [...INSTALLED, '*/debug-page-build.js'],
    // CommonJS packages call `require` for Node.js modules, which an ES module has to create.
    banner: { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url)" },
    plugins: [ownPlaces(root), withoutUnneeded],
    logLevel: 'warning'
  })
  return metafile
}

const withoutUnneeded: Plugin = {
  name: 'without-unneeded',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNNEEDED }, ({ path }) => ({ path, namespace: 'unneeded' }))
    onLoad({ filter: UNNEEDED, namespace: 'unneeded' }, () => ({ contents: 'export default {}' }))
  }
}

/**
 * Lets a source that locates files relative to itself do so from its original path. Such code must end up in a program of the chunks'
 * folder, or in a chunk: elsewhere it fails the build.
 */
function ownPlaces(root: string): Plugin {
  return {
    name: 'own-places',
    setup({ onLoad, onEnd, initialOptions }) {
      const placed = new Set<string>()
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const name = relative(root, path).split(sep).join('/')
        const text = await readFile(path, 'utf8')
        if (!text.includes('import.meta.url')) return null
        placed.add(name)
        const place = relative(PIECES, name.replace(/\.ts$/, '.js'))
        const from = pathToFileURL(join('/', place)).pathname.slice(1)
        return { contents: text.replaceAll('import.meta.url', `new URL(${JSON.stringify(from)}, import.meta.url).href`), loader: 'ts' }
      })
      onEnd(({ metafile }) => {
        const outputs = Object.entries(metafile?.outputs ?? {})
        const lost = outputs.flatMap(([path, { inputs }]) => {
          const isBeside = resolve(root, dirname(path)) === resolve(root, initialOptions.outdir ?? '', PIECES)
          return isBeside ? [] : Object.keys(inputs).filter((input) => placed.has(input))
        })
        return { errors: lost.map((name) => ({ text: `${name} looks for files beside itself, and is not in ${PIECES}` })) }
      })
    }
  }
}
