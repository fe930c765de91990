/** Requests per minute and remote address, counted once a request is authenticated. */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { HttpProblem } from './problem.js'

/** Remote addresses that are remembered at once, the least recently used out first: about 100 bytes each. */
const ADDRESSES_MAX = 10_000

const WINDOW_MS = 60_000

/**
 * Requests of one address to routes that the interface keeps out of its bookkeeping: 500 a second, far above what a client needs, and what
 * keeps a flood of them from using up the processor by being parsed and refused. Their cost is bounded by their lane.
 */
const UNCOUNTED_PER_MINUTE_MAX = 30_000

/** Interface, Errors: 429. Always the whole window, so that callers need not be told when theirs began. */
const RETRY_AFTER = { 'retry-after': '60' }

/**
 * Refuses with 429 above `perMinute`; 0 turns every limit off. Interface, Authentication: requests before authentication are not limited,
 * so this goes after it. IPv6 addresses count by their /64, which one subscriber usually has all of.
 */
export async function registerRateLimit(app: FastifyInstance, perMinute: number): Promise<void> {
  if (perMinute === 0) return
  await app.register(rateLimit, { global: false, cache: ADDRESSES_MAX, max: perMinute, timeWindow: WINDOW_MS })
  const count = app.createRateLimit()
  const countUncounted = app.createRateLimit({ max: UNCOUNTED_PER_MINUTE_MAX })

  app.addHook('onRequest', async (request) => {
    const { access = 'license', isRateLimited = true } = request.routeOptions.config
    if (access !== 'license') return
    const result = await (isRateLimited ? count : countUncounted)(request)
    if (!result.isAllowed && result.isExceeded) throw new HttpProblem(429, 'Too many requests', RETRY_AFTER)
  })
}
