/**
 * Workers: several processes of one machine behind one port. They are nodes to each other, connected through the process that starts them,
 * or through NATS where it is configured.
 */
import { createWorkerBus } from '../bus/workers/bus.js'
import type { FromWorker, ToWorker, WorkerLine } from '../bus/workers/messages.js'
import { createSwitchboard, type Switchboard } from '../bus/workers/switchboard.js'
import type { Config, Environment } from '../config.js'
import { createLogger } from '../http/plugins/logger.js'
import { createSystemClock } from '../platform/clock.js'
import { createLogOutput } from '../platform/log-output.js'
import { lineToStarter, startWorkers, type WorkerProcesses } from '../platform/worker-processes.js'
import { gatherWorkerMetrics, STARTER } from './worker-metrics.js'

/** This process's place among the workers of its machine. */
export interface WorkerPlace {
  readonly name: string
  readonly line: WorkerLine
  /** See `lineToStarter`. */
  readonly handedOver: () => Promise<void>
}

/** The program that each worker runs, and the environment variables added for it. */
interface WorkerProgram {
  readonly program: string
  readonly env: Environment
}

/** Returns this worker's place; null when the process is the only one, or the one that starts the workers. */
export function workerPlace(): WorkerPlace | null {
  const line = lineToStarter<FromWorker, ToWorker>()
  return line === null ? null : { name: line.name, line, handedOver: line.handedOver }
}

/** Starts the workers. This process answers no requests: it holds the port and passes the workers' messages on. */
export function runWorkers({ workers, logLevel, nodes }: Config, { program, env }: WorkerProgram): WorkerProcesses {
  const clock = createSystemClock()
  const logger = createLogger({ level: logLevel, destination: createLogOutput() })
  const switchboard = createSwitchboard({ clock })
  const gathering = gatherWorkerMetrics(createWorkerBus({ name: STARTER, line: lineWithin(switchboard), clock, logger }))
  return startWorkers<ToWorker, FromWorker>({
    names: workerNames(workers),
    program,
    env,
    clock,
    logger,
    // With NATS, all of their messages take that way.
    areIntroduced: nodes === undefined,
    connected(line) {
      const plug = switchboard.plugIn(line.name, line.send)
      const ended = gathering(line.name)
      line.listen(plug.receive)
      return () => {
        plug.pullOut()
        ended()
      }
    }
  })
}

/** Connects the process of the switchboard itself. */
function lineWithin(switchboard: Switchboard): WorkerLine {
  let hear: (message: ToWorker) => void = () => undefined
  const plug = switchboard.plugIn(STARTER, (message, written) => {
    written()
    hear(message)
  })
  return { send: plug.receive, listen: (listener) => (hear = listener) }
}

function workerNames(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `worker-${String(at + 1)}`)
}
