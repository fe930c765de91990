/** Limits requests per minute and remote address, counted after authentication. */
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { createRequestCounts } from '../../domain/fairness/request-counts.js'
import type { Clock } from '../../ports.js'
import type { CountShared } from '../contract/contracts.js'
import { HttpProblem } from '../contract/problem.js'
import { routeOf } from '../contract/route.js'

/**
 * Per minute and address, for routes that the interface exempts from the rate limit: 500 a second, far more than a client needs. Keeps a
 * flood of them from using up the processor by parsing and refusing alone. The cost of admitted ones is bounded by their lane.
 */
const UNCOUNTED_PER_MINUTE_MAX = 30_000

/** Prefix bits of an IPv6 address that count as one remote address: a subscriber usually has all of them. */
const IPV6_PREFIX = 64

/** Interface, Errors: 429. Always the whole window, so that callers need not know when theirs began. */
const RETRY_AFTER = { 'retry-after': '60' }

interface RateLimitOptions {
  /** 0 turns all limits off. */
  readonly perMinute: number
  /** Monotonic, because a wall clock may be set back by an hour, and counts would last as long. */
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Default: this process counts alone. */
  readonly countShared?: CountShared | undefined
}

/**
 * Refuses with 429 above `perMinute`. Interface, Authentication: requests before authentication are not limited, so this is registered
 * after it. With `countShared` all nodes count together. Exempt routes are counted per node, because their limit protects that node's
 * processor.
 */
export function registerRateLimit(app: FastifyInstance, { perMinute, clock, countShared }: RateLimitOptions): void {
  if (perMinute === 0) return
  const count = countShared ?? countHere(clock)
  const countUncounted = countHere(clock)

  app.addHook('onRequest', (request, _reply, done) => {
    const { access = 'license', isRateLimited = true } = routeOf(request).config
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

/** Maps an IP address to the key that counts as one remote address. */
export function remoteNetwork(ip: string): string {
  return normalizeIP(ip, IPV6_PREFIX)
}
