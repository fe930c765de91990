/** Which packages of the lock file ship: those installed with the package, and those bundled into it. */

/** Development dependencies by the lock file whose code is bundled. `test/operations/shipped.test.ts` compares this list with the build. */
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

/** Returns the packages of a lock file with their names (the end of the path) and whether they ship. */
export function lockedPackages<Locked extends LockedPackage>(packages: Readonly<Record<string, Locked>>) {
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, locked]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return { ...locked, name, isShipped: locked.dev !== true || BUNDLED.has(name) }
    })
}
