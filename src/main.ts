/** The process: reads the settings, runs one node, or the workers that are one each, and ends in order on SIGTERM and SIGINT. */
import { EXIT_FAILED, exitCodeOf } from './composition/start-refusal.js'
import { runWorkers, workerPlace } from './composition/workers.js'
import { type Config, processEnvironment, readConfig } from './config.js'
import { onStarterGone } from './platform/worker-processes.js'
import { createService } from './service.js'

const STOPS = ['SIGTERM', 'SIGINT'] as const

async function main(): Promise<void> {
  const config = readConfig(processEnvironment())
  const place = workerPlace(config)
  if (config.workers === 1 || place !== null) return runNode(config, place)
  const workers = runWorkers(config)
  for (const signal of STOPS) process.on(signal, workers.stop)
  process.exitCode = await workers.ended
}

async function runNode(config: Config, place: ReturnType<typeof workerPlace>): Promise<void> {
  const service = await createService(config, {
    ...(place !== null && { place }),
    failed: () => {
      process.exitCode = EXIT_FAILED
      void service.close().finally(() => process.exit(EXIT_FAILED))
    }
  })
  const stop = (reason: string): void => {
    service.logger.info({ signal: reason }, 'stopping')
    void service.close().then(() => {
      service.logger.info({}, 'stopped')
      // Of a worker the line to its starter would keep it alive.
      if (place !== null) process.exit()
    })
  }
  for (const signal of STOPS) process.once(signal, stop)
  if (place !== null) onStarterGone(() => stop('disconnect'))
  const url = await service.listen()
  service.logger.info({ url }, 'listening')
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The service could not start'}\n`)
  process.exit(exitCodeOf(error))
})
