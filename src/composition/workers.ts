/** Several workers of one machine behind one port: nodes among themselves, over this process, or over the NATS that is configured. */
import type { FromWorker, ToWorker, WorkerLine } from '../bus/workers/messages.js'
import { createSwitchboard } from '../bus/workers/switchboard.js'
import type { Config, Environment } from '../config.js'
import { createLogger } from '../http/plugins/logger.js'
import { createSystemClock } from '../platform/clock.js'
import { createLogOutput } from '../platform/log-output.js'
import { lineToStarter, startWorkers, type WorkerProcesses } from '../platform/worker-processes.js'

/** A worker among those of its machine. */
export interface WorkerPlace {
  readonly name: string
  readonly line: WorkerLine
  /** Names of all workers of the machine, this one's among them. */
  readonly names: readonly string[]
}

/** What each worker runs, and what is set for it beside the environment of this process. */
export interface WorkerProgram {
  readonly program: string
  readonly env: Environment
}

/** Where this process is a worker; null where it is the only one, or the one that starts them. */
export function workerPlace({ workers }: Config): WorkerPlace | null {
  const line = lineToStarter<FromWorker, ToWorker>()
  return line === null ? null : { name: line.name, line, names: workerNames(workers) }
}

/** The process that starts the workers answers nothing itself: it holds the port, and passes their messages on. */
export function runWorkers({ workers, logLevel }: Config, { program, env }: WorkerProgram): WorkerProcesses {
  const clock = createSystemClock()
  const switchboard = createSwitchboard({ clock })
  return startWorkers<ToWorker, FromWorker>({
    names: workerNames(workers),
    program,
    env,
    clock,
    logger: createLogger({ level: logLevel, destination: createLogOutput() }),
    connected(line) {
      const plug = switchboard.plugIn(line.name, line.send)
      line.listen(plug.receive)
      return plug.pullOut
    }
  })
}

function workerNames(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `worker-${String(at + 1)}`)
}
