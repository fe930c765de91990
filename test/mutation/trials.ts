/** Finds out whether a change is noticed: runs the tests that reach its place, the nearest first, until one fails. */
import { transform } from 'esbuild'
import type { ImportGraph } from '../runner/import-graph.js'
import { intoProcesses } from '../runner/processes.js'
import type { Compiler } from './compiler.js'
import type { KnownTest, KnownTests } from './known-tests.js'
import { type Mutant, mutantName, mutate } from './mutants.js'
import { type MutatedTree, readModule } from './mutated-tree.js'
import type { Nearness } from './nearness.js'
import { runProcess } from './processes.js'
import { digestOf, type Store } from './store.js'

/**
 * `killed`: a test failed or took far too long. `survived`: none did. `unreached`: no test runs the place. `refused`: not noticed, but it
 * does not compile. `same`: it compiles to the same module as the original.
 */
export type Outcome = 'killed' | 'refused' | 'survived' | 'unreached' | 'same'

export interface Trials {
  /** Tries the change in `tree`, unless an earlier run did. */
  of(mutant: Mutant, text: string, tree: MutatedTree): Promise<Outcome>
}

/** An outcome with its evidence: the tests that failed, or all that were run. */
export interface Finding {
  readonly outcome: Outcome
  readonly tests: readonly string[]
  readonly digests: readonly string[]
}

export interface TrialOptions {
  readonly compiled: string
  readonly graph: ImportGraph
  readonly nearness: Nearness
  readonly tests: KnownTests
  readonly compiler: Compiler
  readonly store: Store<Finding>
  /** Text of `tsconfig.json`. */
  readonly tsconfig: string
  /** Most tests run for one change. */
  readonly testsMax: number
}

/** Nearest tests considered per test that may be run: only those that reach the place are run. */
const NEAREST_PER_ASKED = 3
/** Number of tests run first, before the others: mostly one of them fails. */
const FIRST = 3
/** A test is late when it takes this many times its usual duration plus START_MS_MAX. */
const SLOWER_MAX = 5
const START_MS_MAX = 15_000

export function createTrials({ compiled, graph, nearness, tests, compiler, store, tsconfig, testsMax }: TrialOptions): Trials {
  /** Tests that failed last, by source. */
  const failed = new Map<string, readonly string[]>()

  /** The nearest tests that run one of the places. */
  async function askedAbout(mutant: Mutant, places: readonly number[], tree: MutatedTree): Promise<KnownTest[]> {
    const asked: KnownTest[] = []
    for (const test of nearness.of(mutant.file).slice(0, NEAREST_PER_ASKED * testsMax)) {
      const known = await tests.find(test, { cwd: tree.folder, temporary: tree.temporary })
      if (known.isOk && places.some((at) => known.reaches(mutant.file, at))) asked.push(known)
      if (asked.length === testsMax) break
    }
    return asked
  }

  /** The files of the first process that failed; empty if all passed. */
  async function failing(asked: readonly KnownTest[], tree: MutatedTree): Promise<readonly string[]> {
    const ms = new Map(asked.map((known) => [known.test, known.ms]))
    const processes = intoProcesses([...ms.keys()], graph).reverse()
    for (const files of processes) {
      const msMax = START_MS_MAX + SLOWER_MAX * files.reduce((sum, file) => sum + (ms.get(file) ?? 0), 0)
      const ending = await runProcess({ files, compiled: tree.folder, cwd: tree.folder, temporary: tree.temporary, msMax })
      tree.clean()
      if (ending !== 'passed') return files
    }
    return []
  }

  async function ask(mutant: Mutant, javascript: string, asked: readonly KnownTest[], tree: MutatedTree): Promise<readonly string[]> {
    const last = failed.get(mutant.file) ?? []
    const ordered = [...asked.filter(({ test }) => last.includes(test)), ...asked.filter(({ test }) => !last.includes(test))]
    tree.plant(mutant.file, javascript)
    try {
      for (const part of [ordered.slice(0, FIRST), ordered.slice(FIRST)]) {
        const found = part.length === 0 ? [] : await failing(part, tree)
        if (found.length > 0) return found
      }
      return []
    } finally {
      tree.restore()
    }
  }

  function isStill({ tests: named, digests }: Finding): boolean {
    return named.every((test, index) => tests.digestOf(test) === digests[index])
  }

  return {
    async of(mutant, text, tree) {
      const name = mutantName(mutant)
      const digest = digestOf(text)
      const kept = store.read(name, digest)
      if (kept !== undefined && kept.outcome !== 'survived' && kept.outcome !== 'unreached' && isStill(kept)) return kept.outcome
      const keep = (outcome: Outcome, named: readonly string[]) => {
        store.write(name, digest, { outcome, tests: named, digests: named.map((test) => tests.digestOf(test)) })
        return outcome
      }

      const javascript = await compile(mutate(text, mutant), tsconfig).catch(() => null)
      if (javascript === null) return keep('refused', [])
      const original = await compile(text, tsconfig)
      if (!readModule(compiled, mutant.file).startsWith(original)) throw new Error(`${mutant.file} was compiled in another way`)
      if (javascript === original) return keep('same', [])
      const asked = await askedAbout(mutant, changedPlaces(original, javascript), tree)
      const named = asked.map(({ test }) => test)
      if (kept !== undefined && isStill(kept) && named.join() === kept.tests.join()) return kept.outcome
      const found = asked.length === 0 ? [] : await ask(mutant, javascript, asked, tree)
      if (found.length === 0) {
        if (compiler.refuses(mutant, text)) return keep('refused', [])
        return keep(asked.length === 0 ? 'unreached' : 'survived', named)
      }
      failed.set(mutant.file, found)
      return keep('killed', found)
    }
  }
}

/** Compiles a module with the options of `compileProject`. */
async function compile(text: string, tsconfig: string): Promise<string> {
  const { code } = await transform(text, { loader: 'ts', format: 'esm', platform: 'node', target: 'node20', tsconfigRaw: tsconfig })
  return code
}

/** Offsets of the first difference and of what precedes it: in `a ?? b`, V8 counts everything after `a` as code that may not run. */
function changedPlaces(original: string, changed: string): number[] {
  let at = 0
  while (at < original.length && original[at] === changed[at]) at++
  return [at, original.slice(0, at).trimEnd().length - 1]
}
