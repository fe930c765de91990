/** The process: reads the settings, runs one node, ends it in order on SIGTERM and SIGINT. */
import { EXIT_FAILED, exitCodeOf } from './composition/start-refusal.js'
import { processEnvironment, readConfig } from './config.js'
import { createService } from './service.js'

async function main(): Promise<void> {
  const config = readConfig(processEnvironment())
  const service = await createService(config, {
    failed: () => {
      process.exitCode = EXIT_FAILED
      void service.close().finally(() => process.exit(EXIT_FAILED))
    }
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      service.logger.info({ signal }, 'stopping')
      void service.close().then(() => service.logger.info({}, 'stopped'))
    })
  }
  const url = await service.listen()
  service.logger.info({ url }, 'listening')
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The service could not start'}\n`)
  process.exit(exitCodeOf(error))
})
