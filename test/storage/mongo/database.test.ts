import t from 'tap'
import { openMongo } from '../../../src/storage/mongo/database.js'
import { startMongoStandIn } from '../../support/mongo-stand-in.js'

t.test('a database of a later layout is refused, one of this layout or of none is not', async (t) => {
  const server = await startMongoStandIn()
  t.teardown(() => server.kill())
  const open = async () => (await openMongo(server.url)).close()
  await open()
  server.tamper('layout', 'layout', { _id: 'layout', version: 1 })
  await open()
  server.tamper('layout', 'layout', { version: 2 })
  await t.rejects(open(), { code: 'storage_unavailable', message: /has layout 2, made by a later build: this one knows 1/ })
})
