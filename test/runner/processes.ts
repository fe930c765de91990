/** Which test files share a process: those that reach nothing that outlives them, such as a socket, a thread or another process. */
import type { ImportGraph } from './import-graph.js'

/** Packages without sockets, threads and processes of their own. A file that reaches another one has a process to itself. */
const PURE =
  /^(tap|fast-check|xstate|@xstate\/store|@sinclair\/typebox|yaml|jose|msgpackr|kysely|prom-client|preact)(\/|$)|^node:(crypto|util|fs|path|url|buffer|events|timers|perf_hooks|assert|os)(\/|$)/
/** Few enough that a process that breaks takes little along, and that processors end at about the same time. */
const FILES_MAX = 25

/** `files` by process, the long ones first. */
export function intoProcesses(files: readonly string[], graph: ImportGraph): string[][] {
  const pure = files.filter((file) => isPure(file, graph))
  const alone = files.filter((file) => !pure.includes(file)).map((file) => [file])
  const shared = Array.from({ length: Math.ceil(pure.length / FILES_MAX) }, (_, index) => pure.slice(index * FILES_MAX, (index + 1) * FILES_MAX))
  return [...alone, ...shared]
}

function isPure(file: string, graph: ImportGraph): boolean {
  return [...graph.reachOf(file)].every((name) => {
    if (name === file) return true
    // Its assertions would be the process's, and no file's.
    if (graph.isFile(name)) return !graph.needsOf(name).includes('tap')
    return PURE.test(name)
  })
}
