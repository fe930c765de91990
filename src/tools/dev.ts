/**
 * `npm run dev`: the service on this machine alone, with a key of its own and a token to call it with. `npm run inspect` adds the
 * inspector.
 */
import { exitCodeOf } from '../composition/start-refusal.js'
import { processEnvironment, readConfig } from '../config.js'
import { createSystemClock } from '../platform/clock.js'
import { createService } from '../service.js'
import { buildDebugPage } from './debug-page-build.js'
import { developmentToken, invitation, openDevelopmentKey } from './development.js'
import { openInspection } from './inspection.js'

/** Ignored by git. */
const KEY_FILE = '.engram/development-key.pem'
const DEBUG_PAGE_FOLDER = '.engram/debug-page'

async function main(): Promise<void> {
  const { privateKey, publicKey } = openDevelopmentKey(KEY_FILE)
  // Loopback whatever the environment says: a development key is not meant to guard a port that others can reach.
  const config = readConfig({ ...processEnvironment(), SERVICE_HOST: '127.0.0.1', SERVICE_LICENSE_PUBLIC_KEY: publicKey })
  if (config.debug.ui) await buildDebugPage(DEBUG_PAGE_FOLDER)
  const inspection = process.argv.includes('--inspector') ? await openInspection() : undefined
  const service = await createService(config, {
    debugPageFolder: DEBUG_PAGE_FOLDER,
    failed: () => void stop(1),
    ...(inspection !== undefined && { inspect: inspection.inspect })
  })
  const stop = async (exitCode: number): Promise<void> => {
    await service.close()
    inspection?.close()
    process.exit(exitCode)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(0))
  const url = await service.listen()
  const token = await developmentToken({ privateKey, subject: 'developer', clock: createSystemClock() })
  process.stdout.write(`\n${invitation({ url, token })}\n\nCtrl-C stops it.\n\n`)
  if (inspection !== undefined) process.stdout.write(`Inspector ${inspection.url} (its view is loaded from stately.ai)\n\n`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The service could not start'}\n`)
  process.exit(exitCodeOf(error))
})
