/**
 * A copy of the compiled project in which one module at a time is replaced. Everything that runs there has the change, including threads
 * and processes that a test starts. The files are hard links, so that a copy costs little.
 */
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Removal with retries: a browser that a test has ended may still write for a moment. */
const WHATEVER_IS_THERE = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 } as const

export interface MutatedTree {
  /** With a slash at its end. */
  readonly folder: string
  /** Folder for temporary files of tests; emptied by `clean`. */
  readonly temporary: string
  /** Replaces the module of `file` (`src/x.ts`) by this JavaScript, until `restore` or the next call. */
  plant(file: string, javascript: string): void
  restore(): void
  clean(): void
  remove(): void
}

/** Copies the compiled project in `compiled` to `folder`, from whose parents the project's packages must be found. */
export function createMutatedTree(compiled: string, folder: string): MutatedTree {
  rmSync(folder, { recursive: true, force: true })
  copyLinks(compiled, folder)
  // A short path: paths of sockets have at most 107 bytes.
  const temporary = mkdtempSync(join(tmpdir(), 'mutant-'))
  let planted: string | null = null

  function restore(): void {
    if (planted === null) return
    rmSync(join(folder, planted))
    linkSync(join(compiled, planted), join(folder, planted))
    planted = null
  }

  return {
    folder: `${folder}/`,
    temporary,
    restore,
    plant(file, javascript) {
      restore()
      planted = moduleOf(file)
      // Removed first, since writing through the hard link would change the original.
      rmSync(join(folder, planted))
      writeFileSync(join(folder, planted), javascript)
    },
    clean() {
      for (const name of readdirSync(temporary)) rmSync(join(temporary, name), WHATEVER_IS_THERE)
    },
    remove() {
      rmSync(temporary, WHATEVER_IS_THERE)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** The compiled JavaScript of `file`. */
export function readModule(compiled: string, file: string): string {
  return readFileSync(join(compiled, moduleOf(file)), 'utf8')
}

function moduleOf(file: string): string {
  return file.replace(/\.ts$/, '.js')
}

function copyLinks(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyLinks(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkSync(source, target)
  }
}
