/** Several nodes of the service in this process, with their own NATS and Redis servers. */
import type { Test } from 'tap'
import type { ServiceOverrides } from '../../src/composition/parts.js'
import { readConfig } from '../../src/config.js'
import { createService, type Service } from '../../src/service.js'
import { startNatsServer } from './nats-server.js'
import { startRedis } from './redis-server.js'

export interface JoinedOptions {
  readonly count: number
  readonly env: Readonly<Record<string, string>>
  readonly overrides: ServiceOverrides
  /** True: each node keeps its records in memory. Default: they share the storage in `env`, else a Redis server of their own. */
  readonly isMemory?: boolean
  /** Number of further nodes that are created but left for the test to start. Default 0. */
  readonly joins?: number
}

/** Starts the nodes without listening; stopped when the test ends. */
export async function startJoined(t: Test, { count, env, overrides, isMemory = false, joins = 0 }: JoinedOptions): Promise<Service[]> {
  const nats = await startNatsServer()
  const isGiven = env['SERVICE_STATE_PERSIST'] === '1' || env['SERVICE_SESSION_BACKEND'] !== undefined
  const redis = isMemory || isGiven ? null : await startRedis()
  const storage: Record<string, string> =
    redis !== null ? { SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: redis.url } : isMemory ? { SERVICE_CLUSTER_MEMORY: '1' } : {}
  const services: Service[] = []
  t.teardown(async () => {
    await Promise.all(services.map((service) => service.close()))
    await redis?.stop()
    await nats.stop()
  })
  for (let at = 1; at <= count + joins; at++) {
    services.push(await createService(readConfig({ ...env, ...storage, NATS_URL: nats.url, SERVICE_NODE_ID: `n${at}` }), overrides))
  }
  // One after the other, so that each knows the earlier ones.
  for (const service of services.slice(0, count)) await service.start()
  return services
}
