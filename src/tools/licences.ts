/** Collects the licences of packages bundled into what ships; most licences require that. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const LICENCE_FILE = /^(?:licen[cs]e|notice)/i
const RULE = '-'.repeat(80)

/** Returns one text: for each package its name, version and licence, and its licence files. */
export async function licencesOf(root: string, metafiles: readonly Metafile[]): Promise<string> {
  const inputs = metafiles.flatMap(({ outputs }) => Object.values(outputs).flatMap((output) => Object.keys(output.inputs)))
  const folders = new Set(inputs.flatMap((input) => PACKAGE_FOLDER.exec(input)?.[0] ?? []))
  const parts = await Promise.all([...folders].sort().map((folder) => licenceOf(join(root, folder))))
  return [...new Set(parts)].join(`\n${RULE}\n\n`)
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, string>
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return [`${name} ${version}, ${license ?? 'licence below'}\n`, ...texts].join('\n')
}
