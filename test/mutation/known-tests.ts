/** Baseline of each test, without any change: whether it passes, how long it takes, and which code it runs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportGraph } from '../runner/import-graph.js'
import { hasRun, readCoverage, type Spans } from './coverage.js'
import { readModule } from './mutated-tree.js'
import { runProcess } from './processes.js'
import { createStore, digestOf } from './store.js'

export interface KnownTests {
  /** Digest of the test's text and of the files under `test/` that it reaches, without the sources. */
  digestOf(test: string): string
  /** Runs the test, unless an earlier run did. */
  find(test: string, place: { readonly cwd: string; readonly temporary: string }): Promise<KnownTest>
}

export interface KnownTest {
  readonly test: string
  readonly ms: number
  readonly isOk: boolean
  /** Whether the test runs that character of the compiled `source`. True for every character of a module that has changed since. */
  reaches(source: string, at: number): boolean
}

interface Found {
  readonly ms: number
  readonly isOk: boolean
  readonly ran: Readonly<Record<string, { readonly digest: string; readonly spans: Spans }>>
}

/** A test that takes longer without any change is not used. The contract test of a storage takes most of this on a busy machine. */
const MS_MAX = 120_000
const MUTATED = /^(src|actors|machines)\//

/** Creates the baselines for the compiled project in `compiled`, stored in `folder`. */
export function createKnownTests({ compiled, graph, folder }: { compiled: string; graph: ImportGraph; folder: string }): KnownTests {
  const store = createStore<Found>(folder)
  const finds = new Map<string, Promise<KnownTest>>()
  const digests = new Map<string, string>()
  const moduleDigests = new Map<string, string>()

  function moduleDigest(source: string): string {
    const digest = moduleDigests.get(source) ?? digestOf(readModule(compiled, source))
    moduleDigests.set(source, digest)
    return digest
  }

  function testDigest(test: string): string {
    const own = [...graph.reachOf(test)].filter((name) => name.startsWith('test/') && graph.isFile(name)).sort()
    const digest = digests.get(test) ?? digestOf(...own.map((name) => readFileSync(join(compiled, name), 'utf8')))
    digests.set(test, digest)
    return digest
  }

  async function run(test: string, { cwd, temporary }: { cwd: string; temporary: string }): Promise<Found> {
    const reports = mkdtempSync(join(temporary, 'ran-'))
    const startedMs = performance.now()
    const ending = await runProcess({ files: [test], compiled, cwd, temporary, msMax: MS_MAX, reports })
    const ms = Math.round(performance.now() - startedMs)
    const spans = ending === 'passed' ? readCoverage(reports, compiled, (file) => MUTATED.test(file)) : new Map<string, Spans>()
    rmSync(reports, { recursive: true })
    const ran = Object.fromEntries([...spans].map(([source, own]) => [source, { digest: moduleDigest(source), spans: own }]))
    return { ms, isOk: ending === 'passed', ran }
  }

  async function find(test: string, place: { cwd: string; temporary: string }): Promise<KnownTest> {
    const digest = testDigest(test)
    const kept = store.read(test, digest)
    const { ms, isOk, ran } = kept ?? (await run(test, place))
    if (kept === undefined) store.write(test, digest, { ms, isOk, ran })
    return {
      test,
      ms,
      isOk,
      reaches(source, at) {
        const own = ran[source]
        return own !== undefined && (own.digest !== moduleDigest(source) || hasRun(own.spans, at))
      }
    }
  }

  return {
    digestOf: testDigest,
    find(test, place) {
      const finding = finds.get(test) ?? find(test, place)
      finds.set(test, finding)
      return finding
    }
  }
}
