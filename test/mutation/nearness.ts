/** Selects the tests to run for a change of a source, the nearest first. */
import { dirname } from 'node:path'
import type { ImportGraph } from '../runner/import-graph.js'

/**
 * Tests that are never used: those of documents, packages and benchmarks, which say nothing about a single change, and simulations and
 * torture tests, which would take minutes per change.
 */
const FAR =
  /^test\/(bench|documents|examples|mutation|operations|runner|simulation|torture|upgrades)\/|^test\/(tidy|source-rules)\.test\.ts$/

export interface Nearness {
  /** All usable tests that reach `source`, the nearest first. */
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

/** Path without the root folder: `src/domain/x.ts` and `test/domain/x.test.ts` have the same place. */
function placeOf(path: string): readonly string[] {
  const name = path.replace(/(\.test)?\.ts$/, '')
  const parts = name.split('/')
  return dirname(path) === 'test' ? [] : parts.slice(parts[0] === 'src' || parts[0] === 'test' ? 1 : 0)
}

/** Length of the common prefix. */
function steps(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((part, index) => part !== b[index])
  return end === -1 ? a.length : end
}
