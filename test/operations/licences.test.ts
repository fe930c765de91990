/** The packages of a release and their licences, by the lock file and by the list that operators get. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { lockedPackages, type LockedPackage } from '../../src/tools/shipped.js'
import { programArgs } from '../support/program.js'

interface Package extends LockedPackage {
  readonly license?: string
  readonly hasInstallScript?: boolean
}

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[]
  readonly hashes?: readonly { readonly alg: string }[]
}

/** Licences that may be shipped with software under Apache-2.0, as they are or with their notice. */
const ALLOWED = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense', 'Python-2.0', '(MPL-2.0 OR Apache-2.0)']

/** Further licences allowed for tools, which are not shipped. */
const ALLOWED_FOR_TOOLS = [
  'BlueOak-1.0.0',
  'CC0-1.0',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'MPL-2.0',
  'EPL-2.0',
  'EPL-2.0 OR GPL-3.0-or-later',
  'LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
  'PSF-2.0',
  'Zlib'
]
const EITHER = /^\((?:[\w.-]+ OR )*(?:MIT|Apache-2\.0|CC0-1\.0|BSD-[23]-Clause)(?: OR [\w.-]+)*\)$/

/** Packages whose package.json does not name the licence by its id; their licence files do. */
const READ_IN_FILE: Readonly<Record<string, { readonly id: string; readonly file: string; readonly words: RegExp }>> = {
  decko: { id: 'MIT', file: 'LICENSE', words: /The MIT License/ },
  flatbuffers: { id: 'Apache-2.0', file: 'LICENSE.txt', words: /Apache License\s+Version 2\.0/ },
  stickyfill: { id: 'MIT', file: 'LICENSE', words: /The MIT License/ },
  'url-template': { id: 'BSD-3-Clause', file: 'LICENSE', words: /Redistribution and use[^]*The name of the author may not/ },
  // Being moved from MIT to Apache-2.0, file by file.
  '@modelcontextprotocol/inspector-cli': { id: 'MIT', file: 'LICENSE', words: /MIT License/ },
  'jsonc-simple-parser': { id: 'MIT', file: 'license', words: /MIT License/i }
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Readonly<Record<string, Package>> }
const packages = lockedPackages(lock.packages)
const shipped = packages.filter(({ isShipped }) => isShipped)
const tools = packages.filter(({ isShipped }) => !isShipped)

t.test('licences: of everything that is shipped, one that may be', async (t) => {
  for (const { name, license } of shipped) {
    const id = READ_IN_FILE[name]?.id ?? license ?? 'none'
    t.ok(ALLOWED.includes(id), `${name}: ${id}`)
  }
})

t.test('licences: of every tool, one that may be used', async (t) => {
  for (const { name, license } of tools) {
    const id = READ_IN_FILE[name]?.id ?? license ?? 'none'
    t.ok(ALLOWED.includes(id) || ALLOWED_FOR_TOOLS.includes(id) || EITHER.test(id), `${name}: ${id}`)
  }
})

t.test('licences: where package.json does not name one, its file says what we say', async (t) => {
  for (const [name, { file, words }] of Object.entries(READ_IN_FILE))
    t.match(readFileSync(`node_modules/${name}/${file}`, 'utf8'), words, name)
})

t.test('install scripts: of what is shipped, those that the documents name', async (t) => {
  const found = shipped.filter(({ hasInstallScript }) => hasInstallScript === true).map(({ name }) => name)
  const page = readFileSync('docs/operations/supply-chain.md', 'utf8')
  for (const name of found) t.match(page, `| \`${name}\` |`)
})

t.test('bill of materials: every package that is shipped, with its version, digest and licence', async (t) => {
  const text = execFileSync(process.execPath, programArgs('src/tools/sbom.ts'), { encoding: 'utf8', maxBuffer: 2 ** 25, timeout: 60_000 })
  const bill = JSON.parse(text) as {
    bomFormat: string
    specVersion: string
    components: readonly Component[]
    dependencies: { dependsOn: string[] }[]
  }
  t.match(bill, { bomFormat: 'CycloneDX', specVersion: '1.5' })
  const listed = new Map(bill.components.map((component) => [`${component.name}@${component.version}`, component]))
  t.strictSame([...listed.keys()].sort(), [...new Set(shipped.map(({ name, version }) => `${name}@${version}`))].sort())
  const refs = new Set(bill.components.map((component) => component['bom-ref']))
  for (const { dependsOn } of bill.dependencies) for (const ref of dependsOn) t.ok(refs.has(ref), ref)
  for (const [key, { licenses, hashes, purl }] of listed) {
    t.ok(
      (licenses ?? []).some(({ license, expression }) => license?.id !== undefined || expression !== undefined),
      key
    )
    t.ok(
      hashes?.some(({ alg }) => alg === 'SHA-512'),
      key
    )
    t.match(purl, /^pkg:npm\//)
  }
})
