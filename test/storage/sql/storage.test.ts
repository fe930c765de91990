import t from 'tap'
import { createSystemClock } from '../../../src/platform/clock.js'
import type { Logger } from '../../../src/ports.js'
import { createSqlStorage } from '../../../src/storage/sql/storage.js'
import { needs } from '../../support/needs.js'
import { startPostgres } from '../../support/postgres.js'
import { at, created, headed } from '../contract-cases.js'

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

t.test('postgres: a disk that is full is said to be', needs('initdb'), async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.stop())
  const url = await server.createDatabase()
  const storage = await createSqlStorage({ url, clock: createSystemClock(), logger })
  const token = await created(storage, at('a'))
  await server.run(
    url,
    `create function fill() returns trigger language plpgsql as $$ begin raise exception using errcode = 'disk_full'; end $$;
    create trigger fill before update on actor_records for each row execute function fill()`
  )
  await t.rejects(storage.commit(at('a'), token, headed(1)), { code: 'storage_unavailable', message: 'The storage has no room left' })
  await storage.close()
})
