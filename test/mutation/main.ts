/**
 * `npm run mutation -- NAME…`: changes the sources, one change at a time, and prints the changes that no test notices. A name is a folder,
 * a file, or an area of `areas.ts`. Results of earlier runs are reused while source and tests are the same.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { readArguments, refuseArguments } from '../../src/tools/arguments.js'
import { compileProject } from '../runner/compiled-project.js'
import { createImportGraph } from '../runner/import-graph.js'
import { listTests } from '../runner/test-files.js'
import { AREAS } from './areas.js'
import { createCompiler } from './compiler.js'
import { createKnownTests } from './known-tests.js'
import { type Mutant, mutantName, readMutants } from './mutants.js'
import { createMutatedTree, type MutatedTree } from './mutated-tree.js'
import { createNearness } from './nearness.js'
import { scoreLine, survivorLines } from './report.js'
import { sampleOf } from './sample.js'
import { listSources } from './sources.js'
import { createStore } from './store.js'
import { createTrials, type Finding, type Outcome, type Trials } from './trials.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const OPTIONS = {
  /** Number of changes tried for each name, chosen at random. Default: all. */
  sample: { type: 'string' },
  /** Seed of the sample. */
  seed: { type: 'string', default: '1' },
  /** Most tests run for one change. */
  tests: { type: 'string', default: '12' },
  /** Changes tried concurrently. */
  jobs: { type: 'string', default: String(availableParallelism()) },
  /** Root of the project to mutate, with a slash at its end. */
  root: { type: 'string', default: ROOT }
} as const

const USAGE = `npm run mutation -- NAME… [--sample N] [--seed N] [--tests N] [--jobs N]
  NAME     folders, files, or areas: ${Object.keys(AREAS).join(', ')}
  --sample changes of each name that are tried, by chance
  --seed   another one is another sample
  --tests  tests that are asked at most about one change
  --jobs   changes at a time`

const FOUND = 'node_modules/.cache/mutation'
const TREES = '.tap/mutated'

interface Work {
  readonly mutant: Mutant
  readonly text: string
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments(USAGE, { allowPositionals: true, options: OPTIONS })
  const { root } = values
  if (positionals.length === 0) refuseArguments(USAGE, 'No name is given')
  const compiled = await compileProject(root)
  const graph = createImportGraph(compiled)
  const trials = createTrials({
    compiled,
    graph,
    nearness: createNearness(listTests(root), graph),
    tests: createKnownTests({ compiled, graph, folder: join(root, FOUND, 'tests') }),
    compiler: createCompiler(root),
    store: createStore<Finding>(join(root, FOUND, 'changes')),
    tsconfig: readFileSync(join(root, 'tsconfig.json'), 'utf8'),
    testsMax: Number(values.tests)
  })
  const trees = Array.from({ length: Number(values.jobs) }, (_, job) =>
    createMutatedTree(compiled, join(root, TREES, `${process.pid}-${job}`))
  )
  try {
    for (const name of positionals) {
      const files = (AREAS[name] ?? [name]).flatMap((path) => listSources(root, path))
      const sources = await Promise.all(files.map((file) => readMutants(root, file)))
      const all: readonly Work[] = sources.flatMap(({ mutants, text }) => mutants.map((mutant) => ({ mutant, text })))
      const count = Math.min(Number(values.sample ?? all.length), all.length)
      const chosen = sampleOf(all, { count, seed: values.seed, nameOf: ({ mutant }) => mutantName(mutant) })
      const outcomes = await tryAll(chosen, trials, trees)
      console.log(scoreLine({ name, all: all.length, ignored: sources.reduce((sum, { ignored }) => sum + ignored, 0), outcomes }))
    }
  } finally {
    for (const tree of trees) tree.remove()
  }
}

/** Tries changes concurrently, one at a time in each tree. Prints survivors in the order of `works`, whichever is tried first. */
async function tryAll(works: readonly Work[], trials: Trials, trees: readonly MutatedTree[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let [next, told] = [0, 0]
  const tell = () => {
    for (let outcome = outcomes[told]; outcome !== undefined; outcome = outcomes[++told]) {
      const { mutant, text } = works[told] as Work
      if (outcome !== 'survived' && outcome !== 'unreached') continue
      for (const line of survivorLines(mutant, text, outcome)) console.log(line)
    }
  }
  await Promise.all(
    trees.map(async (tree) => {
      for (let at = next++; at < works.length; at = next++) {
        const { mutant, text } = works[at] as Work
        outcomes[at] = await trials.of(mutant, text, tree)
        tell()
      }
    })
  )
  return outcomes
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
