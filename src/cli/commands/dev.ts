/** `engram dev`: runs the service for this machine only, with a development key and a token. `engram inspect` adds the inspector. */
import { dirname, extname } from 'node:path'
import { processEnvironment, readConfig } from '../../config.js'
import { createSystemClock } from '../../platform/clock.js'
import { createService } from '../../service.js'
import { developmentToken, invitation, openDevelopmentKey } from '../../tools/development.js'
import { inFolder } from '../service/data-folder.js'
import { checkListening } from '../service/listening.js'

/** Ignored by git. */
const KEY_FILE = '.engram/development-key.pem'
const DEBUG_PAGE_FOLDER = '.engram/debug-page'

/** A built program has its page beside it; from source the page is built at each start. */
const isBuilt = extname(import.meta.url) === '.js'

interface DevelopmentOptions {
  readonly port?: string
  /** Shows the actors in Stately's inspector. */
  readonly inspector?: boolean
}

/** Resolves once it listens. Throws as `serve` does. */
export async function runDevelopment({ port, inspector = false }: DevelopmentOptions): Promise<void> {
  checkListening({ port })
  const { privateKey, publicKey } = inFolder(dirname(KEY_FILE), () => openDevelopmentKey(KEY_FILE))
  // Loopback regardless of the environment: a development key must not guard a port that others can reach.
  const config = readConfig({
    ...processEnvironment(),
    SERVICE_HOST: '127.0.0.1',
    SERVICE_LICENSE_PUBLIC_KEY: publicKey,
    ...(port !== undefined && { SERVICE_PORT: port })
  })
  if (config.debug.ui && !isBuilt) {
    const { buildDebugPage } = await import('../../tools/debug-page-build.js')
    await buildDebugPage(DEBUG_PAGE_FOLDER)
  }
  const inspection = inspector ? await (await import('../../tools/inspection.js')).openInspection() : undefined
  const service = await createService(config, {
    ...(!isBuilt && { debugPageFolder: DEBUG_PAGE_FOLDER }),
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
