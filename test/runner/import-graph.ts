/** What compiled modules need: each other, packages, and whatever they name by a path. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface ImportGraph {
  /**
   * Everything that `source` (`test/x.test.ts`) leads to, itself too: files as they were written, from the root, and packages by name.
   * What is reached through an `end` alone is left out.
   */
  reachOf(source: string, isEnd?: (name: string) => boolean): ReadonlySet<string>
  /** What `source` itself names. */
  needsOf(source: string): readonly string[]
  /** A file of the project, not a package. */
  isFile(name: string): boolean
}

/** As esbuild writes them, whatever the source looked like; types are gone. */
const IMPORTED = /(?:^import |^\} from |^import [^"\n]* from |\bimport\()"([^"\n]+)"/gm
/** A module's path in a string: a thread's program, a page that is read, a program that is started from the root. */
const NAMED = /["'`]((?:\.{1,2}\/|(?:src|actors|machines|test|bench|examples)\/)[^"'`\n\s]*)["'`]/g

/** Of the compiled project in `folder`; it is read as far as it is asked for. */
export function createImportGraph(folder: string): ImportGraph {
  const needs = new Map<string, readonly string[]>()

  function needsOf(source: string): readonly string[] {
    const known = needs.get(source)
    if (known !== undefined) return known
    const path = join(folder, source.replace(/\.ts$/, '.js'))
    const text = source.endsWith('.ts') ? readFileSync(path, 'utf8') : ''
    const imported = matches(text, IMPORTED).map((name) => fileOf(source, name) ?? name)
    const found = [...imported, ...matches(text, NAMED).flatMap((name) => fileOf(source, name) ?? [])]
    needs.set(source, found)
    return found
  }

  /** Null for a package, and for what is not there. */
  function fileOf(source: string, name: string): string | null {
    const path = name.startsWith('.') ? normalize(join(dirname(source), name)) : name
    const candidates = [path.replace(/\.js$/, '.ts'), `${path}.ts`, path]
    return (
      candidates.find((candidate) => /\.\w+$/.test(candidate) && !candidate.startsWith('..') && existsSync(join(folder, candidate))) ?? null
    )
  }

  return {
    needsOf,
    isFile: (name) => fileOf('', name) !== null,
    reachOf(source, isEnd = () => false) {
      const reached = new Set<string>()
      const open = [source]
      for (let name = open.pop(); name !== undefined; name = open.pop()) {
        if (reached.has(name)) continue
        reached.add(name)
        if (!isEnd(name) && fileOf('', name) !== null) open.push(...needsOf(name))
      }
      return reached
    }
  }
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name ?? '')
}
