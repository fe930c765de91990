/** Locates the program of a child process, compiled or as TypeScript. */
import { fileURLToPath } from 'node:url'

export interface ProgramEntry {
  readonly path: string
  /** Options for Node.js itself. */
  readonly execArgv: readonly string[]
}

/** Entry for module `name` (`./name`, without extension) next to module `from`. From TypeScript sources it adds the loader. */
export function programEntry(name: string, from: string): ProgramEntry {
  const isSource = from.endsWith('.ts')
  return {
    path: fileURLToPath(new URL(`${name}.${isSource ? 'ts' : 'js'}`, from)),
    execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : []
  }
}
