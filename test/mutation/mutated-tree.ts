/**
 * A copy of the compiled project in which one module at a time is another one. Whatever runs there has the change: threads and processes
 * that a test starts, too. Its files are links, so that a copy costs little.
 */
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A browser that a test has ended may still write for a moment. */
const WHATEVER_IS_THERE = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 } as const

export interface MutatedTree {
  /** With a slash at its end. */
  readonly folder: string
  /** For what tests write: emptied by `clean`. */
  readonly temporary: string
  /** JavaScript instead of the module of `file` (`src/x.ts`), until the next one or null. */
  plant(file: string, javascript: string): void
  restore(): void
  clean(): void
  remove(): void
}

/** Of the compiled project in `compiled`, at `folder`, whose parents have the project's packages. */
export function createMutatedTree(compiled: string, folder: string): MutatedTree {
  rmSync(folder, { recursive: true, force: true })
  copyLinks(compiled, folder)
  // Short: paths of sockets have at most 107 bytes.
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
      // Never through the link: that would change the original.
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

/** JavaScript of `file` as it is compiled. */
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
