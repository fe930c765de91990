/** Where a worker thread's program is, compiled or not. */

/**
 * URL of the module `name` (`./name`, without extension) beside the module `from`. Compiled, that is the module itself. Run from its
 * TypeScript source, it is a two-line program that installs the same loader in the thread first: loaders given on the
 * command line do not reach worker threads in Node 20.
 */
export function workerEntry(name: string, from: string): URL {
  if (!from.endsWith('.ts')) return new URL(`${name}.js`, from)
  const program = `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}
register()
await import(${JSON.stringify(new URL(`${name}.ts`, from).href)})`
  return new URL(`data:text/javascript,${encodeURIComponent(program)}`)
}
