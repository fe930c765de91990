/** Requests per minute and remote address, counted once a request is authenticated. */
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { createRequestCounts } from '../../domain/request-counts.js'
import type { Clock } from '../../ports.js'
import type { CountShared } from '../contract/contracts.js'
import { HttpProblem } from '../contract/problem.js'

/**
 * Requests of one address to routes that the interface keeps out of its bookkeeping: 500 a second, far above what a client needs, and what
 * keeps a flood of them from using up the processor by being parsed and refused. Their cost is bounded by their lane.
 */
const UNCOUNTED_PER_MINUTE_MAX = 30_000

/** Bits of an IPv6 address that make one remote address: what one subscriber usually has all of. */
const IPV6_PREFIX = 64

/** Interface, Errors: 429. Always the whole window, so that callers need not be told when theirs began. */
const RETRY_AFTER = { 'retry-after': '60' }

export interface RateLimitOptions {
  /** 0 turns every limit off. */
  readonly perMinute: number
  /** A minute is one of this clock's: that of the day may be set back by an hour, and a count would last that long. */
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Default: this process counts alone. */
  readonly countShared?: CountShared | undefined
}

/**
 * Refuses with 429 above `perMinute`. Interface, Authentication: requests before authentication are not limited, so this goes after it.
 * With `countShared` all nodes count together; what is kept out of the bookkeeping counts on each node alone, for it guards that node's
 * processor.
 */
export function registerRateLimit(app: FastifyInstance, { perMinute, clock, countShared }: RateLimitOptions): void {
  if (perMinute === 0) return
  const count = countShared ?? countHere(clock)
  const countUncounted = countHere(clock)

  app.addHook('onRequest', (request, _reply, done) => {
    const { access = 'license', isRateLimited = true } = request.routeOptions.config
    if (access !== 'license') return done()
    const address = remoteNetwork(request.ip)
    const isTooMany = isRateLimited ? count(address) > perMinute : countUncounted(address) > UNCOUNTED_PER_MINUTE_MAX
    done(isTooMany ? new HttpProblem(429, 'Too many requests', RETRY_AFTER) : undefined)
  })
}

function countHere(clock: Pick<Clock, 'monotonicMs'>): CountShared {
  const counts = createRequestCounts()
  return (address) => counts.count(address, clock.monotonicMs())
}

/** What counts as one remote address. */
export function remoteNetwork(ip: string): string {
  return normalizeIP(ip, IPV6_PREFIX)
}
