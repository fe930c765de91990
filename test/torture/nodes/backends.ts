/** The databases that nodes share: real servers, killed and started again at will. */
import type { ProgramName } from '../../support/needs.js'
import { startPostgres } from '../../support/postgres.js'
import { startRedis } from '../../support/redis-server.js'
import type { Line } from './lines.js'

export interface Backend {
  readonly port: number
  /** What a node is configured with that finds it there: where it is, or where a line to it begins. */
  env(at: Pick<Line, 'host' | 'port'>): Readonly<Record<string, string>>
  /** kill -9. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export type BackendName = 'postgres' | 'redis'

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
        kill: () => server.kill(),
        start: () => server.start(),
        stop: () => server.stop()
      }
    }
  }
}
