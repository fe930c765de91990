/** `engram serve`: runs one node, or several workers as nodes, and shuts down in order on SIGTERM and SIGINT. */
import { extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { warnOfIdleSettings } from '../../composition/idle-settings.js'
import { EXIT_FAILED } from '../../composition/start-refusal.js'
import { runWorkers, workerPlace } from '../../composition/workers.js'
import { type Config, type Environment, processEnvironment, readConfig } from '../../config.js'
import { createSystemClock } from '../../platform/clock.js'
import { attachToStarter } from '../../platform/worker-processes.js'
import { createService } from '../../service.js'
import { makeDataFolder } from '../service/data-folder.js'
import { checkListening } from '../service/listening.js'

const STOPS = ['SIGTERM', 'SIGINT'] as const

/** Program of a worker, compiled or not: the service without a command line. */
const MAIN = fileURLToPath(new URL(`../../main${extname(import.meta.url)}`, import.meta.url))

/** Each option stands for an environment variable and overrides it. */
export interface ServeOptions {
  readonly host?: string
  readonly port?: string
  readonly data?: string
  readonly licenseKey?: string
  readonly anonymous?: true
}

/** Resolves once it listens, or once all workers have ended. Throws ConfigError and StartError. */
export async function serve(options: ServeOptions = {}): Promise<void> {
  checkListening(options)
  const settings = settingsOf(options)
  const env = { ...processEnvironment(), ...settings }
  const config = readConfig(env)
  const place = workerPlace()
  // Once, not by each worker.
  if (place === null) warnOfIdleSettings(env, config)
  if (config.workers === 1 || place !== null) return runNode(config, place)
  const workers = runWorkers(config, { program: MAIN, env: settings })
  for (const signal of STOPS) process.on(signal, workers.stop)
  process.exitCode = await workers.ended
}

function settingsOf({ host, port, data, licenseKey, anonymous }: ServeOptions): Environment {
  return {
    ...(host !== undefined && { SERVICE_HOST: host }),
    ...(port !== undefined && { SERVICE_PORT: port }),
    ...(data !== undefined && { SERVICE_SESSION_BACKEND: 'memory', SERVICE_STATE_PERSIST: '1', DATABASE_URL: databaseIn(data) }),
    ...(licenseKey !== undefined && { SERVICE_LICENSE_PUBLIC_KEY: licenseKey }),
    ...(anonymous === true && { SERVICE_ALLOW_ANONYMOUS: '1' })
  }
}

/** Only the user may read the files created there. Throws ConfigError. */
function databaseIn(folder: string): string {
  makeDataFolder(folder)
  return `sqlite:${join(resolve(folder), 'engram.db')}`
}

async function runNode(config: Config, place: ReturnType<typeof workerPlace>): Promise<void> {
  const service = await createService(config, {
    ...(place !== null && { place }),
    failed: () => {
      process.exitCode = EXIT_FAILED
      void service.close().finally(() => process.exit(EXIT_FAILED))
    }
  })
  let isStopping = false
  const stop = (reason: string): void => {
    if (isStopping) return
    isStopping = true
    service.logger.info({ signal: reason }, 'stopping')
    void service.close().then(() => {
      service.logger.info({}, 'stopped')
      // A worker's line to its starter would keep it alive, and so would connections to a storage that does not answer.
      process.exit()
    })
  }
  // A supervisor may send SIGTERM twice, to each process and to their group; work in progress is finished all the same. A second Ctrl-C
  // means that somebody does not want to wait.
  process.on('SIGTERM', stop)
  process.once('SIGINT', stop)
  if (place !== null) attachToStarter({ clock: createSystemClock(), starterGone: () => stop('disconnect') })
  const url = await service.listen()
  service.logger.info({ url }, 'listening')
}
