/** Which packages of the lock file ship: what is installed with the package, and what is inside it. */

/** Tools by the lock file, yet their code is inside what is built. `test/operations/shipped.test.ts` compares with what is. */
const BUNDLED: ReadonlySet<string> = new Set([
  '@huggingface/jinja',
  '@statelyai/inspect',
  '@xenova/transformers',
  'copy-anything',
  'has-flag',
  'is-what',
  'isomorphic-ws',
  'partysocket',
  'preact',
  'superjson',
  'supports-color',
  'uplot',
  'ws'
])

export interface LockedPackage {
  readonly version: string
  readonly dev?: boolean
}

/** What a lock file says of its packages, each with its name, which is the end of its path, and whether it ships. */
export function lockedPackages<Locked extends LockedPackage>(packages: Readonly<Record<string, Locked>>) {
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, locked]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return { ...locked, name, isShipped: locked.dev !== true || BUNDLED.has(name) }
    })
}
