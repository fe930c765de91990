/** A service that logs to this process's standard output, and answers one health request. */
import { readConfig } from '../../src/config.js'
import { createService } from '../../src/service.js'

const config = readConfig({ SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_PORT: '0', SERVICE_LOG_LEVEL: 'debug' })
const service = await createService(config)
const { status } = await fetch(new URL('/v1/health', await service.listen()))
process.stderr.write(`${status}\n`)
await service.close()
process.exit()
