/**
 * Bundles packages of many modules into one or two modules each: otherwise a process of the service reads some twelve hundred modules of
 * packages, which takes longer than most tests. The bundles hold the installed versions under the names that the project imports.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions, version } from 'esbuild'
import { outputFolder } from './output-folder.js'

/** Packages that share identities such as symbols: one bundle, split into pieces, holds each of those once. */
const MODULES = [
  '@sinclair/typebox',
  '@sinclair/typebox/compiler',
  '@sinclair/typebox/errors',
  '@sinclair/typebox/value',
  'fast-check',
  'jose',
  'kysely'
]
/** CommonJS packages, bundled separately: no two of them exchange objects of a package that both contain. */
const SCRIPTS = ['@fastify/cors', '@fastify/rate-limit', '@fastify/swagger', 'fastify', 'ioredis', 'mongodb', 'nats', 'pg', 'prom-client']
/** CommonJS packages of one module that reads files from its own folder: linked rather than bundled. */
const LONE_SCRIPTS = ['typescript']
/** Tap leaves frames with this in their path out of the stacks of failures. */
const TAP_FOLDER = 'tap/node_modules/@tapjs'
/** Replaces tap's dependency `async-hook-domain`. */
const STRAY_ERRORS = fileURLToPath(new URL('stray-errors.ts', import.meta.url))
/** Inside the project, so that packages which are not bundled are found in its `node_modules`. */
const OUTPUT = '.tap/packages'

/**
 * Path of the folder of bundled packages, to be put beside compiled modules; null for a project without packages of its own. Made once per
 * set of installed packages.
 */
export async function bundlePackages(root: string): Promise<string | null> {
  const installed = await readFile(join(root, 'node_modules/.package-lock.json')).catch(() => null)
  if (installed === null) return null
  const digest = createHash('sha256')
    .update(JSON.stringify([version, MODULES, SCRIPTS, LONE_SCRIPTS, TAP_FOLDER]))
    .update(await readFile(STRAY_ERRORS))
    .update(installed)
    .digest('hex')
    .slice(0, 16)
  return outputFolder(resolve(root, OUTPUT), digest, async (folder) => {
    const scripts = SCRIPTS.map((name) => bundleScript(root, folder, name))
    const lone = LONE_SCRIPTS.map((name) => linkScript(folder, name))
    await Promise.all([bundleModules(root, folder), bundleTap(root, folder), ...scripts, ...lone])
  })
}

function optionsFor(root: string): BuildOptions {
  return { absWorkingDir: resolve(root), bundle: true, platform: 'node', target: 'node20', logLevel: 'error' }
}

async function bundleModules(root: string, folder: string): Promise<void> {
  const entryPoints = Object.fromEntries(MODULES.map((name) => [`${name}/index`, name]))
  await build({ ...optionsFor(root), entryPoints, outdir: folder, splitting: true, format: 'esm', chunkNames: '.pieces/[hash]' })
  const packages = new Map<string, Record<string, string>>()
  for (const name of MODULES) {
    const own = /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name
    const exported = packages.get(own) ?? {}
    packages.set(own, exported)
    exported[`.${name.slice(own.length)}`] = `.${name.slice(own.length)}/index.js`
  }
  for (const [name, exported] of packages)
    await writeFile(join(folder, name, 'package.json'), JSON.stringify({ name, type: 'module', exports: exported }))
  await writeFile(join(folder, '.pieces/package.json'), JSON.stringify({ type: 'module' }))
}

/** Bundles tap, which every test imports first: 260 modules, some of them CommonJS that requires modules of Node. */
async function bundleTap(root: string, folder: string): Promise<void> {
  const contents = `import t from 'tap'\nimport { tellStrayErrors } from 'async-hook-domain'\ntellStrayErrors(t)\nexport * from 'tap'\nexport default t`
  const banner = { js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)" }
  const outfile = join(folder, TAP_FOLDER, 'bundle.js')
  const alias = { 'async-hook-domain': STRAY_ERRORS }
  await build({ ...optionsFor(root), stdin: { contents, resolveDir: resolve(root) }, outfile, format: 'esm', banner, alias })
  const bundle = `'./${TAP_FOLDER.slice('tap/'.length)}/bundle.js'`
  await writeFile(join(folder, 'tap/index.js'), `export * from ${bundle}\nexport { default } from ${bundle}\n`)
  await writeFile(join(folder, 'tap/package.json'), JSON.stringify({ name: 'tap', type: 'module', exports: './index.js' }))
  await writeFile(join(folder, TAP_FOLDER, 'package.json'), JSON.stringify({ type: 'module' }))
}

async function bundleScript(root: string, folder: string, name: string): Promise<void> {
  const contents = `module.exports = require(${JSON.stringify(name)})`
  const outfile = join(folder, name, 'bundle.cjs')
  await build({ ...optionsFor(root), stdin: { contents, resolveDir: resolve(root) }, outfile, format: 'cjs' })
  await nameExports(folder, name, './bundle.cjs')
}

async function linkScript(folder: string, name: string): Promise<void> {
  const own = join(folder, name)
  await mkdir(own)
  await nameExports(folder, name, relative(own, fileURLToPath(import.meta.resolve(name))))
}

/** Writes a short entry script that lists the exports: Node scans the whole text of a CommonJS module for their names. */
async function nameExports(folder: string, name: string, script: string): Promise<void> {
  const exported = Object.keys((await import(name)) as object).filter((key) => key !== 'default' && /^[\w$]+$/.test(key))
  await writeFile(
    join(folder, name, 'index.cjs'),
    `const script = require(${JSON.stringify(script)})\nmodule.exports = script\n0 && (module.exports = { ${exported.join(', ')} })\n`
  )
  await writeFile(join(folder, name, 'package.json'), JSON.stringify({ name, main: 'index.cjs' }))
}
