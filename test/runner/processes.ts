/** Which test files share a process: most, since starting one and reading what they have in common costs more than many of them do. */
import type { ImportGraph } from './import-graph.js'

/**
 * What a file opens by these, such as a server, a thread or a process, it closes: one that does not fails, as a shared process looks for
 * it. A file that reaches another package has a process to itself.
 */
const SHARED_PACKAGES =
  /^(tap|fast-check|xstate|@xstate\/store|@sinclair\/typebox|yaml|jose|msgpackr|kysely|prom-client|preact|ajv|eventsource-parser|fastify|ioredis|libsql|mongodb|nats|openai|openapi-fetch|openapi-typescript|pg|typescript|@modelcontextprotocol\/sdk)(\/|$)|^node:/
/** Programs that a test starts as processes of their own: what those reach is not in the test's. */
const PROGRAMS: ReadonlySet<string> = new Set(['src/cli/engram.ts', 'src/main.ts', 'test/support/built.ts', 'test/support/program.ts'])
/** By these a test has the service or its HTTP in its own process, without listening; what that opens is closed with the test. */
const SERVICES: ReadonlySet<string> = new Set([
  'src/service.ts',
  'src/http/server.ts',
  'test/support/real-service.ts',
  'test/support/http-rig.ts'
])
/** Few enough that a process that breaks takes little along, and that processors end at about the same time. */
const FILES_MAX = 50
/** These take longer each. */
const SERVICE_FILES_MAX = 14

/** Seconds that what a file is or reaches adds to it, about: enough to have no long file begin last. */
const SECONDS: readonly (readonly [reached: string, seconds: number])[] = [
  ['test/operations/shipped.test.ts', 80],
  ['test/simulation/simulation.test.ts', 25],
  ['test/mutation/main.test.ts', 20],
  ['test/actors/session/long-conversation.test.ts', 8],
  ['test/http/fuzz.test.ts', 25],
  ['test/faults/embedder.test.ts', 25],
  ['test/faults/shared-rate-limit.test.ts', 20],
  ['test/nodes.test.ts', 15],
  ['test/http/routes/compliance.test.ts', 20],
  ['test/workers.test.ts', 15],
  ['test/bench/short-circuit-quality.test.ts', 8],
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

/** `files` by process, the long ones first. */
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

/** What a file itself needs, not what the service would start if it were told to. */
function secondsOf(file: string, graph: ImportGraph): number {
  const reached = graph.reachOf(file, isEnd)
  const own = SECONDS.reduce((sum, [name, seconds]) => sum + (reached.has(name) ? seconds : 0), 1)
  return [...SERVICES].some((name) => reached.has(name)) ? own + SERVICE_SECONDS : own
}

/** As few parts as can be, each about as long as the others: the longest file goes to the part that is the shortest until then. */
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
    // Its assertions would be the process's, and no file's.
    if (graph.isFile(name)) return !graph.needsOf(name).includes('tap')
    return SHARED_PACKAGES.test(name)
  })
  if (!canShare) return 'alone'
  if (![...reached].some((name) => SERVICES.has(name))) return 'pure'
  // Thousands of requests: the others would wait for them.
  return reached.has('fast-check') ? 'alone' : 'service'
}
