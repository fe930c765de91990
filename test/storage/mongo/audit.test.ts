import t from 'tap'
import { nextTrail } from '../../../src/storage/mongo/audit.js'
import { openMongo } from '../../../src/storage/mongo/database.js'
import { startMongoStandIn } from '../../support/mongo-stand-in.js'

t.test('trails follow each other by their names, whichever was written first and whatever of them is left', async (t) => {
  const server = await startMongoStandIn()
  t.teardown(() => server.kill())
  const database = await openMongo(server.url)
  t.teardown(() => database.close())
  const write = {
    end: (name: string) => server.tamper('audit_ends', name, { _id: name, seq: 1, hash: '' }),
    entry: (name: string) => server.tamper('audit', `${name}:1`, { _id: `${name}:1`, subject: name, seq: 1 })
  }
  for (const name of ['f', 'c', 'a']) write.end(name)
  for (const name of ['e', 'd', 'b', 'a']) write.entry(name)
  const found: string[] = []
  for (let name = await nextTrail(database, ''); name !== null; name = await nextTrail(database, name)) found.push(name)
  t.same(found, ['a', 'b', 'c', 'd', 'e', 'f'])
})
