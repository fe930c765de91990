/** `npm run client:types`: writes the client's types, `src/client/openapi.ts`, from the service's OpenAPI document. */
import { writeFileSync } from 'node:fs'
import { readArguments } from './arguments.js'
import { readConfig } from '../config.js'
import { createService } from '../service.js'
import { clientTypesFile } from './client-types-file.js'

readArguments('npm run client:types', {})
const service = await createService(readConfig({ SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_LOG_LEVEL: 'silent' }))
await service.start()
const { body } = await service.http.inject({ method: 'GET', url: '/openapi.json' })
writeFileSync(new URL('../client/openapi.ts', import.meta.url), await clientTypesFile(body))
await service.close()
