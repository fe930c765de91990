/** Graph of what compiled modules need: other modules, packages, and files that they name by path. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface ImportGraph {
  /**
   * Everything that `source` (`test/x.test.ts`) reaches, including itself: source files by path from the root, and packages by name. Names
   * for which `isEnd` is true are included, but not followed.
   */
  reachOf(source: string, isEnd?: (name: string) => boolean): ReadonlySet<string>
  /** What `source` itself imports or names. */
  needsOf(source: string): readonly string[]
  /** Whether the name is a file of the project rather than a package. */
  isFile(name: string): boolean
}

/** Imports as esbuild writes them, without type imports. */
const IMPORTED = /(?:^import |^\} from |^import [^"\n]* from |\bimport\()"([^"\n]+)"/gm
/** A path in a string: the program of a thread, a page that is read, a program that is started from the root. */
const NAMED = /["'`]((?:\.{1,2}\/|(?:src|actors|machines|test|bench|examples)\/)[^"'`\n\s]*)["'`]/g

/** Creates the graph of the compiled project in `folder`. Modules are read on demand. */
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

  /** Null for packages and missing files. */
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
