/**
 * Builds the programs that ship. A start read more than a thousand small modules, which took longer than all that they do: here each
 * program is one, with what it loads on demand in pieces beside it.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'

/** Programs and threads of their own, each found by its place beside the others. */
const PROGRAMS = ['src/main', 'src/cli/engram', 'src/embedders/encoder-main', 'src/storage/sql/sqlite-main']

/** What sends traces, where a collector is configured. */
const TELEMETRY = ['sdk-trace-base', 'resources', 'exporter-trace-otlp-http', 'exporter-trace-otlp-proto'].map(
  (name) => `@opentelemetry/${name}`
)

/** What only some configurations load, or what has binaries or files of its own: these stay installed packages. */
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
 * What `@xenova/transformers` imports and texts do not need: pictures, by a native library that is downloaded when it is installed, and
 * the runtime of browsers. It refuses to load without an object for pictures.
 */
const UNNEEDED = /^(?:sharp|onnxruntime-web)$/

/** Where the pieces lie that several programs share: in the folder of the first program. */
const PIECES = 'src'

/** Writes the programs below `output`, each where its source lies below `root`, with the files that they read beside them. */
export async function buildPrograms(root: string, output: string): Promise<Metafile> {
  await mkdir(output, { recursive: true })
  await copyFile(join(root, 'nats.conf'), join(output, 'nats.conf'))
  const { name, version, type } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, string>
  await writeFile(join(output, 'package.json'), `${JSON.stringify({ name, version, type })}\n`)
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(PROGRAMS.map((path) => [path, `${path}.ts`])),
    outdir: output,
    bundle: true,
    splitting: true,
    chunkNames: `${PIECES}/[name]-[hash]`,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // The page is built already where programs are.
    external: [...INSTALLED, '*/debug-page-build.js'],
    // Packages in CommonJS ask for modules of Node.js by `require`, which a module has to make.
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
 * A source that looks for a file beside itself finds it from where the source would be. Those lie in programs of the folder of the
 * pieces, or in pieces: one that ended up in a program elsewhere refuses the build.
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
