/** Where a child process's program is, compiled or not. */
import { fileURLToPath } from 'node:url'

export interface ProgramEntry {
  readonly path: string
  /** Options for node itself. */
  readonly execArgv: readonly string[]
}

/** The module `name` (`./name`, without extension) beside the module `from`; run from TypeScript, with the loader for it. */
export function programEntry(name: string, from: string): ProgramEntry {
  const isSource = from.endsWith('.ts')
  return {
    path: fileURLToPath(new URL(`${name}.${isSource ? 'ts' : 'js'}`, from)),
    execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : []
  }
}
