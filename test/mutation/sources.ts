/** Lists the sources to change. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Sources of a folder or file under `root`, sorted. Throws if it does not exist. */
export function listSources(root: string, path: string): string[] {
  const name = path.replace(/^\.\/|\/$/g, '')
  if (!statSync(join(root, name)).isDirectory()) return [name]
  return readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
    .map((entry) => join(name, entry))
    .filter((entry) => entry.endsWith('.ts'))
    .sort()
}
