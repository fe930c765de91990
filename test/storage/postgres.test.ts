import process from 'node:process'
import t from 'tap'
import { createSystemClock } from '../../src/platform/clock.js'
import type { Logger } from '../../src/ports.js'
import { createSqlStorage } from '../../src/storage/sql/storage.js'
import { startPostgres, whyNoPostgres } from '../support/postgres.js'
import { storageContract } from './contract.js'

const clock = createSystemClock()
const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

const reason = whyNoPostgres()
if (reason !== null && process.env['CI'] === 'true') t.fail(reason)
else if (reason !== null) t.test('postgres', { skip: reason }, async () => undefined)
else await cases()

async function cases(): Promise<void> {
  const server = await startPostgres()
  t.teardown(() => server.stop())

  storageContract('postgres', {
    async open() {
      const url = await server.createDatabase()
      const open = () => createSqlStorage({ url, clock, logger })
      const [storage, other] = await Promise.all([open(), open()])
      return {
        storage,
        other,
        async restartServer() {
          await server.kill()
          await server.start()
        },
        stop: () => server.dropDatabase(url)
      }
    }
  })
}
