/** Which tests are asked about a change of a source, the nearest first. */
import { dirname } from 'node:path'
import type { ImportGraph } from '../runner/import-graph.js'

/**
 * Tests that are never asked: of documents, packages and benches, which say nothing of a single change, and long histories, each of which
 * would take minutes a change.
 */
const FAR =
  /^test\/(bench|documents|examples|mutation|operations|runner|simulation|torture|upgrades)\/|^test\/(tidy|source-rules)\.test\.ts$/

export interface Nearness {
  /** All tests that reach `source`. */
  of(source: string): readonly string[]
}

export function createNearness(tests: readonly string[], graph: ImportGraph): Nearness {
  const reached = new Map(tests.filter((test) => !FAR.test(test)).map((test) => [test, graph.reachOf(test)]))
  return {
    of(source) {
      const place = placeOf(source)
      const size = (test: string) => reached.get(test)?.size ?? 0
      return [...reached.keys()]
        .filter((test) => reached.get(test)?.has(source))
        .sort((a, b) => steps(placeOf(b), place) - steps(placeOf(a), place) || size(a) - size(b) || (a < b ? -1 : 1))
    }
  }
}

/** `src/domain/x.ts` and `test/domain/x.test.ts` are at one place. */
function placeOf(path: string): readonly string[] {
  const name = path.replace(/(\.test)?\.ts$/, '')
  const parts = name.split('/')
  return dirname(path) === 'test' ? [] : parts.slice(parts[0] === 'src' || parts[0] === 'test' ? 1 : 0)
}

/** How far they go together. */
function steps(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((part, index) => part !== b[index])
  return end === -1 ? a.length : end
}
