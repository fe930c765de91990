/**
 * Packages of many modules, each as one or two: a process of the service reads some twelve hundred modules of packages otherwise, which
 * takes longer than most of the tests. They are what is installed, under the names by which the project imports them.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions, version } from 'esbuild'
import { outputFolder } from './output-folder.js'

/** Their parts know each other by what is in them, such as a symbol: one bundle in several pieces has each of those once. */
const MODULES = [
  '@sinclair/typebox',
  '@sinclair/typebox/compiler',
  '@sinclair/typebox/errors',
  '@sinclair/typebox/value',
  'fast-check',
  'jose',
  'kysely'
]
/** CommonJS. No two of them have a package in common whose objects meet. */
const SCRIPTS = ['@fastify/cors', '@fastify/rate-limit', '@fastify/swagger', 'fastify', 'ioredis', 'mongodb', 'nats', 'pg', 'prom-client']
/** CommonJS of one module, which looks for what belongs to it in the folder that it is in. */
const LONE_SCRIPTS = ['typescript']
/** Stacks of failures leave out what has this in its path. */
const TAP_FOLDER = 'tap/node_modules/@tapjs'
/** Stands in tap for a package of its. */
const STRAY_ERRORS = fileURLToPath(new URL('stray-errors.ts', import.meta.url))
/** Beside the compiled projects, so that what is not in a bundle is found among the project's packages. */
const OUTPUT = '.tap/packages'

/**
 * The folder of packages to put beside compiled modules; null for a project without packages of its own. Made once for what is installed.
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

/** Every test's first package, of 260 modules: some of them are CommonJS, and ask for what Node has. */
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

/** Node takes the names that a script exports from its text, and reads all of it for that: here it is a short one. */
async function nameExports(folder: string, name: string, script: string): Promise<void> {
  const exported = Object.keys((await import(name)) as object).filter((key) => key !== 'default' && /^[\w$]+$/.test(key))
  await writeFile(
    join(folder, name, 'index.cjs'),
    `const script = require(${JSON.stringify(script)})\nmodule.exports = script\n0 && (module.exports = { ${exported.join(', ')} })\n`
  )
  await writeFile(join(folder, name, 'package.json'), JSON.stringify({ name, main: 'index.cjs' }))
}
