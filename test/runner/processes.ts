/** Which test files share a process: those that reach nothing that outlives them, such as a socket, a thread or another process. */
import type { ImportGraph } from './import-graph.js'

/** Packages without sockets, threads and processes of their own. A file that reaches another one has a process to itself. */
const PURE =
  /^(tap|fast-check|xstate|@xstate\/store|@sinclair\/typebox|yaml|jose|msgpackr|kysely|prom-client|preact)(\/|$)|^node:(crypto|util|fs|path|url|buffer|events|timers|perf_hooks|assert|os)(\/|$)/
/** By these a test has the service or its HTTP in its own process, without listening; what that opens is closed with the test. */
const SERVICES: ReadonlySet<string> = new Set([
  'src/service.ts',
  'src/http/server.ts',
  'test/support/real-service.ts',
  'test/support/http-rig.ts'
])
/** Few enough that a process that breaks takes little along, and that processors end at about the same time. */
const FILES_MAX = 25
/** These take longer each. */
const SERVICE_FILES_MAX = 8

/** Seconds that what a file is or reaches adds to it, about: enough to have no long file begin last. */
const SECONDS: readonly (readonly [reached: string, seconds: number])[] = [
  ['test/tools/package.test.ts', 60],
  ['test/operations/image.test.ts', 60],
  ['test/simulation/simulation.test.ts', 50],
  ['test/actors/session/long-conversation.test.ts', 40],
  ['playwright-core', 40],
  ['test/support/program.ts', 30],
  ['test/support/built.ts', 30],
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
  const sorted: Record<Sort, string[]> = { alone: [], service: [], pure: [] }
  for (const file of files) sorted[sortOf(file, graph)].push(file)
  const processes = [
    ...sorted.alone.map((file) => [file]),
    ...inParts(sorted.service, SERVICE_FILES_MAX),
    ...inParts(sorted.pure, FILES_MAX)
  ]
  const seconds = new Map(files.map((file) => [file, secondsOf(file, graph)]))
  const lengthOf = (process: readonly string[]) => process.reduce((sum, file) => sum + (seconds.get(file) ?? 0), 0)
  return processes.sort((a, b) => lengthOf(b) - lengthOf(a))
}

/** What a file itself needs, not what the service would start if it were told to. */
function secondsOf(file: string, graph: ImportGraph): number {
  const reached = graph.reachOf(file, (name) => SERVICES.has(name))
  const own = SECONDS.reduce((sum, [name, seconds]) => sum + (reached.has(name) ? seconds : 0), 1)
  return [...SERVICES].some((name) => reached.has(name)) ? own + SERVICE_SECONDS : own
}

/** As few parts as can be, each as long as the others: neighbours, which are alike, in different ones. */
function inParts(files: readonly string[], filesMax: number): string[][] {
  const count = Math.ceil(files.length / filesMax)
  return Array.from({ length: count }, (_, part) => files.filter((_, index) => index % count === part))
}

function sortOf(file: string, graph: ImportGraph): Sort {
  const reached = graph.reachOf(file, (name) => SERVICES.has(name))
  const canShare = [...reached].every((name) => {
    if (name === file || SERVICES.has(name)) return true
    // Its assertions would be the process's, and no file's.
    if (graph.isFile(name)) return !graph.needsOf(name).includes('tap')
    return PURE.test(name)
  })
  if (!canShare) return 'alone'
  if (![...reached].some((name) => SERVICES.has(name))) return 'pure'
  // Thousands of requests: the others would wait for them.
  return reached.has('fast-check') ? 'alone' : 'service'
}
