import { readFileSync } from 'node:fs'
import t from 'tap'
import { clientTypesFile } from '../../src/tools/client-types-file.js'
import { startService } from '../support/real-service.js'

t.test('the types of the client are what the service says of itself; `npm run client:types` writes them', async (t) => {
  const { service } = await startService(t, { nodes: 1, env: { SERVICE_ALLOW_ANONYMOUS: '1' } })
  const { body } = await service.http.inject({ method: 'GET', url: '/openapi.json' })
  t.equal(readFileSync(new URL('../../src/client/openapi.ts', import.meta.url), 'utf8'), await clientTypesFile(body))
})
