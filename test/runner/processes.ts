/** Distributes test files over processes. Most files share one: starting it and loading common modules costs more than many files do. */
import type { ImportGraph } from './import-graph.js'

/**
 * Packages that files in a shared process may use. A file closes the servers, threads and processes that it opens with them, or fails: a
 * shared process checks this. A file that reaches any other package has a process to itself.
 */
const SHARED_PACKAGES =
  /^(tap|fast-check|xstate|@xstate\/store|@sinclair\/typebox|yaml|jose|msgpackr|kysely|prom-client|preact|ajv|eventsource-parser|fastify|ioredis|libsql|mongodb|nats|openai|openapi-fetch|openapi-typescript|pg|typescript|@modelcontextprotocol\/sdk)(\/|$)|^node:/
/** Programs that tests start as processes of their own: what they import is not loaded by the test. */
const PROGRAMS: ReadonlySet<string> = new Set(['src/cli/engram.ts', 'src/main.ts', 'test/support/built.ts', 'test/support/program.ts'])
/** Modules by which a test runs the service or its HTTP server in its own process, without listening, and closes it at its end. */
const SERVICES: ReadonlySet<string> = new Set([
  'src/service.ts',
  'src/http/server.ts',
  'test/support/real-service.ts',
  'test/support/http-rig.ts'
])
/** Most files per shared process: few enough that a crash loses little, and that all processors finish at about the same time. */
const FILES_MAX = 50
/** Most files per shared process if they run the service, since these take longer. */
const SERVICE_FILES_MAX = 14

/** Rough seconds that a file takes because of what it is or reaches: precise enough that no long file starts last. */
const SECONDS: readonly (readonly [reached: string, seconds: number])[] = [
  ['test/operations/shipped.test.ts', 160],
  ['test/torture/kills.test.ts', 80],
  ['test/torture/nodes/rolling-upgrade.test.ts', 80],
  ['test/torture/nodes/nodes.test.ts', 80],
  ['test/simulation/simulation.test.ts', 60],
  ['test/http/fuzz.test.ts', 60],
  ['test/tools/site.test.ts', 40],
  ['test/simulation/joins.test.ts', 30],
  ['test/machines/kinds.test.ts', 25],
  ['test/mutation/main.test.ts', 20],
  ['test/faults/embedder.test.ts', 25],
  ['test/faults/shared-rate-limit.test.ts', 20],
  ['test/nodes.test.ts', 15],
  ['test/http/routes/compliance.test.ts', 20],
  ['test/workers.test.ts', 15],
  ['test/bench/short-circuit-quality.test.ts', 10],
  ['test/domain/facts/verdicts.test.ts', 15],
  ['test/actors/session/long-conversation.test.ts', 8],
  ['playwright-core', 40],
  ['test/support/program.ts', 15],
  ['test/support/built.ts', 15],
  ['test/support/postgres.ts', 20],
  ['test/support/mongo-server.ts', 20],
  ['test/support/nats-server.ts', 15],
  ['test/support/redis-server.ts', 10],
  ['libsql', 10]
]
const SERVICE_SECONDS = 3

type Sort = 'alone' | 'service' | 'pure'

/** Test files by process, the longest processes first. */
export function intoProcesses(files: readonly string[], graph: ImportGraph): string[][] {
  const sorted: Record<Sort, Timed[]> = { alone: [], service: [], pure: [] }
  for (const file of files) sorted[sortOf(file, graph)].push({ file, seconds: secondsOf(file, graph) })
  const processes = [...sorted.alone.map((one) => [one]), ...inParts(sorted.service, SERVICE_FILES_MAX), ...inParts(sorted.pure, FILES_MAX)]
  return processes.sort((a, b) => lengthOf(b) - lengthOf(a)).map((part) => part.map(({ file }) => file))
}

interface Timed {
  readonly file: string
  readonly seconds: number
}

function lengthOf(part: readonly Timed[]): number {
  return part.reduce((sum, { seconds }) => sum + seconds, 0)
}

function isEnd(name: string): boolean {
  return SERVICES.has(name) || PROGRAMS.has(name)
}

/** Estimate from what the file itself reaches, without what the service would start if configured to. */
function secondsOf(file: string, graph: ImportGraph): number {
  const reached = graph.reachOf(file, isEnd)
  const own = SECONDS.reduce((sum, [name, seconds]) => sum + (reached.has(name) ? seconds : 0), 1)
  return [...SERVICES].some((name) => reached.has(name)) ? own + SERVICE_SECONDS : own
}

/** Fewest possible parts of similar length: each file, the longest first, goes to the part that is the shortest so far. */
function inParts(files: readonly Timed[], filesMax: number): Timed[][] {
  const parts = Array.from({ length: Math.ceil(files.length / filesMax) }, (): Timed[] => [])
  for (const file of [...files].sort((a, b) => b.seconds - a.seconds))
    parts.reduce((shortest, part) => (lengthOf(part) < lengthOf(shortest) ? part : shortest)).push(file)
  return parts
}

function sortOf(file: string, graph: ImportGraph): Sort {
  const reached = graph.reachOf(file, isEnd)
  const canShare = [...reached].every((name) => {
    if (name === file || isEnd(name)) return true
    // Assertions of a helper that imports tap would count for the process rather than for a file.
    if (graph.isFile(name)) return !graph.needsOf(name).includes('tap')
    return SHARED_PACKAGES.test(name)
  })
  if (!canShare) return 'alone'
  if (![...reached].some((name) => SERVICES.has(name))) return 'pure'
  // Property tests of the service send thousands of requests, for which the other files would wait.
  return reached.has('fast-check') ? 'alone' : 'service'
}
