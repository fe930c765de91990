/** What counts against which limit, without a server: thirty thousand requests would take long. */
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { registerRateLimit, remoteNetwork } from '../../../src/http/plugins/rate-limit.js'
import { createManualClock } from '../../support/manual-clock.js'

type Config = { readonly access?: string; readonly isRateLimited?: boolean }
type Hook = (
  request: object,
  reply: object,
  done: (error?: Error & { readonly status?: number; readonly headers?: object }) => void
) => void

/** Asks from addresses on routes; returns the status of the refusal, or null. */
function open(perMinute: number) {
  const clock = createManualClock()
  const hooks: Hook[] = []
  registerRateLimit({ addHook: (_: string, hook: Hook) => hooks.push(hook) } as unknown as FastifyInstance, { perMinute, clock })
  const ask = (ip: string, config: Config = {}): number | null => {
    let status: number | null = null
    for (const hook of hooks) hook({ ip, routeOptions: { config } }, {}, (error) => (status = error?.status ?? null))
    return status
  }
  const times = (count: number, ip: string, config?: Config) => Array.from({ length: count }, () => ask(ip, config))
  return { ask, times, clock, hooks }
}

t.test('an address has so many requests a minute, each address its own', async (t) => {
  const { times, clock } = open(3)
  t.same(times(5, '10.0.0.1'), [null, null, null, 429, 429])
  t.same(times(3, '10.0.0.2'), [null, null, null])
  await clock.advance(60_000)
  t.same(times(4, '10.0.0.1'), [null, null, null, 429])
})

t.test('routes that are exempt have thirty thousand, counted apart, and routes without a licence have no limit', async (t) => {
  const { times, ask } = open(1)
  t.equal(times(30_000, '10.0.0.1', { isRateLimited: false }).at(-1), null)
  t.equal(ask('10.0.0.1', { isRateLimited: false }), 429)
  t.equal(ask('10.0.0.1'), null)
  t.same(times(3, '10.0.0.1', { access: 'open' }), [null, null, null])
})

t.test('without a limit nothing is counted', async (t) => {
  t.same(open(0).hooks, [])
})

t.test('of an address of version 6 the first 64 bits count', async (t) => {
  t.equal(remoteNetwork('2001:db8:1:2::1'), remoteNetwork('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  t.not(remoteNetwork('2001:db8:1:2::1'), remoteNetwork('2001:db8:1:3::1'))
  t.not(remoteNetwork('10.0.0.1'), remoteNetwork('10.0.0.2'))
})
