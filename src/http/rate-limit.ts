/** Requests per minute and remote address, counted once a request is authenticated. */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { HttpProblem } from './problem.js'

/** Remote addresses that are remembered at once, the least recently used out first: about 100 bytes each. */
const ADDRESSES_MAX = 10_000

const WINDOW_MS = 60_000

/** Interface, Errors: 429. Always the whole window, so that callers need not be told when theirs began. */
const RETRY_AFTER = { 'retry-after': '60' }

/**
 * Refuses with 429 above `perMinute`. Interface, Authentication: requests before authentication are not limited,
 * so this goes after it. IPv6 addresses count by their /64, which one subscriber usually has all of.
 */
export async function registerRateLimit(app: FastifyInstance, perMinute: number): Promise<void> {
  if (perMinute === 0) return
  await app.register(rateLimit, { global: false, cache: ADDRESSES_MAX, max: perMinute, timeWindow: WINDOW_MS })
  const count = app.createRateLimit()

  app.addHook('onRequest', async (request) => {
    const { access = 'license', isRateLimited = true } = request.routeOptions.config
    if (access !== 'license' || !isRateLimited) return
    const result = await count(request)
    if (!result.isAllowed && result.isExceeded) throw new HttpProblem(429, 'Too many requests', RETRY_AFTER)
  })
}
