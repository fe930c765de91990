/** The version of the package. */
import { readFileSync } from 'node:fs'

/** Located relative to the sources and to the compiled files alike. */
const MANIFEST = new URL('../../../package.json', import.meta.url)

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { readonly version: string }
  return version
}
