/**
 * `npm run sbom`: the components of a release, as CycloneDX on standard output. npm lists the packages of the lock file; this removes those
 * that are only tools, and adds licences to four without an SPDX id. npm's own --omit=dev would also omit development dependencies whose
 * code ships.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readArguments } from './arguments.js'
import { type LockedPackage, lockedPackages } from './shipped.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Taken from the packages' licence files. */
const LICENCES: Readonly<Record<string, string>> = {
  decko: 'MIT',
  flatbuffers: 'Apache-2.0',
  stickyfill: 'MIT',
  'url-template': 'BSD-3-Clause'
}

const MEBIBYTES_MAX = 32

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly licenses?: readonly object[]
}

interface BillOfMaterials {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

readArguments('npm run sbom', {})
const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as LockFile
const shipped = new Set(
  lockedPackages(packages)
    .filter(({ isShipped }) => isShipped)
    .map(({ name, version }) => `${name}@${version}`)
)

const text = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: MEBIBYTES_MAX * 2 ** 20,
  stdio: ['ignore', 'pipe', 'ignore']
})
const bill = JSON.parse(text) as BillOfMaterials

const components = bill.components
  .filter(({ name, version }) => shipped.has(`${name}@${version}`))
  .map((component) => {
    const id = LICENCES[component.name]
    return (component.licenses ?? []).length === 0 && id !== undefined ? { ...component, licenses: [{ license: { id } }] } : component
  })
const kept = new Set([bill.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])])
const dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }))
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`)
