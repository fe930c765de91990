import t from 'tap'
import { allNeed } from '../support/needs.js'
import { type PostgresServer, startPostgres } from '../support/postgres.js'
import { type Backend, serverFaults } from './server-faults.js'
import { twoWriters } from './two-writers.js'

allNeed(t, 'initdb')
let server: PostgresServer
t.before(async () => {
  server = await startPostgres()
})
t.teardown(() => server.stop())
let database = ''
const backend: Backend = {
  name: 'postgres',
  check: 'database',
  writeBytes: Buffer.from('begin isolation level'),
  // A simple query message of length 11. Other statements of that name are sent in messages of other types.
  commitBytes: Buffer.from('Q\0\0\0\x0bcommit\0'),
  async open() {
    const url = await server.createDatabase()
    database = new URL(url).pathname
    return { port: Number(new URL(url).port), kill: server.kill, start: server.start, stop: () => server.dropDatabase(url) }
  },
  env: (port) => ({ SERVICE_STATE_PERSIST: '1', DATABASE_URL: `postgres://postgres@127.0.0.1:${port}${database}` })
}
serverFaults(backend)
twoWriters(backend)
