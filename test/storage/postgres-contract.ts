/** The storage contract over a PostgreSQL server, reached directly or through something in front of it. */
import { createSystemClock } from '../../src/platform/clock.js'
import type { Logger } from '../../src/ports.js'
import { createSqlStorage } from '../../src/storage/sql/storage.js'
import type { PostgresServer } from '../support/postgres.js'
import { storageContract } from './contract.js'
import { EMPTYING } from './sql-contract.js'

const clock = createSystemClock()
const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** `server` is called once it runs. `reached` turns the URL of a database into the one that the storage connects to. */
export function postgresContract(
  name: string,
  server: () => PostgresServer,
  reached: (direct: string) => string = (direct) => direct
): void {
  storageContract(name, {
    async open() {
      const url = await server().createDatabase()
      const open = () => createSqlStorage({ url: reached(url), clock, logger })
      const [storage, other] = await Promise.all([open(), open()])
      return {
        storage,
        other,
        async restartServer() {
          await server().kill()
          await server().start()
        },
        async empty() {
          await server().run(url, EMPTYING)
        },
        stop: () => server().dropDatabase(url)
      }
    }
  })
}
