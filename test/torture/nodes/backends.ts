/** Databases that nodes share: real servers that a test can kill and restart. */
import type { ProgramName } from '../../support/needs.js'
import { startPostgres } from '../../support/postgres.js'
import { askRedis, startRedis } from '../../support/redis-server.js'
import type { Line } from './lines.js'

export interface Backend {
  readonly port: number
  /** Configuration of a node that reaches the database at this address, which may be that of a line to it. */
  env(at: Pick<Line, 'host' | 'port'>): Readonly<Record<string, string>>
  /** Pauses it: connections stay open, but nothing answers. */
  pause(): void
  resume(): void
  /** Terminates the connections of clients one by one, as an administrator may. */
  disconnect(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export type BackendName = 'postgres' | 'redis'

/** Terminates other connections in no particular order, some milliseconds apart. */
const END_OTHERS = `
  select pg_terminate_backend(pid), pg_sleep(random() * 0.02)
  from (select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() order by random()) as others`

export const BACKENDS: Readonly<Record<BackendName, { readonly needs: readonly ProgramName[]; open(): Promise<Backend> }>> = {
  postgres: {
    needs: ['initdb'],
    async open() {
      const server = await startPostgres()
      const url = new URL(await server.createDatabase())
      return {
        port: Number(url.port),
        env({ host, port }) {
          const own = new URL(url)
          own.host = `${host}:${port}`
          return { SERVICE_STATE_PERSIST: '1', DATABASE_URL: own.href }
        },
        pause: () => server.pause(),
        resume: () => server.resume(),
        async disconnect() {
          await server.run(url.href, END_OTHERS)
        },
        kill: () => server.kill(),
        start: () => server.start(),
        stop: () => server.stop()
      }
    }
  },
  redis: {
    needs: ['redis-server'],
    async open() {
      const server = await startRedis()
      return {
        port: server.port,
        env: ({ host, port }) => ({ SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: `redis://${host}:${port}` }),
        pause: () => server.pause(),
        resume: () => server.resume(),
        async disconnect() {
          await askRedis(server, 'CLIENT KILL TYPE normal SKIPME yes')
        },
        kill: () => server.kill(),
        start: () => server.start(),
        stop: () => server.stop()
      }
    }
  }
}
