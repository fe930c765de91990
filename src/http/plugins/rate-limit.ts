/** Requests per minute and remote address, counted once a request is authenticated. */
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ADDRESSES_MAX, WINDOW_MS } from '../../domain/request-counts.js'
import type { CountShared } from '../contract/contracts.js'
import { HttpProblem } from '../contract/problem.js'

/**
 * Requests of one address to routes that the interface keeps out of its bookkeeping: 500 a second, far above what a client needs, and what
 * keeps a flood of them from using up the processor by being parsed and refused. Their cost is bounded by their lane.
 */
const UNCOUNTED_PER_MINUTE_MAX = 30_000

/** Bits of an IPv6 address that make one remote address: what the limiter of a lone node takes unless told otherwise. */
const IPV6_PREFIX = 64

/** Interface, Errors: 429. Always the whole window, so that callers need not be told when theirs began. */
const RETRY_AFTER = { 'retry-after': '60' }

/**
 * Refuses with 429 above `perMinute`; 0 turns every limit off. Interface, Authentication: requests before authentication are not limited,
 * so this goes after it. IPv6 addresses count by their /64, which one subscriber usually has all of. With `countShared` all nodes count
 * together; what is kept out of the bookkeeping counts on each node alone, for it guards that node's processor.
 */
export async function registerRateLimit(app: FastifyInstance, perMinute: number, countShared?: CountShared): Promise<void> {
  if (perMinute === 0) return
  await app.register(rateLimit, { global: false, cache: ADDRESSES_MAX, max: perMinute, timeWindow: WINDOW_MS })
  const countHere = app.createRateLimit()
  const countUncounted = app.createRateLimit({ max: UNCOUNTED_PER_MINUTE_MAX })
  const exceeds = async (counting: typeof countHere, request: FastifyRequest) => {
    const result = await counting(request)
    return !result.isAllowed && result.isExceeded
  }
  const isTooMany =
    countShared === undefined
      ? (request: FastifyRequest) => exceeds(countHere, request)
      : async ({ ip }: FastifyRequest) => countShared(remoteNetwork(ip)) > perMinute

  app.addHook('onRequest', async (request) => {
    const { access = 'license', isRateLimited = true } = request.routeOptions.config
    if (access !== 'license') return
    if (await (isRateLimited ? isTooMany(request) : exceeds(countUncounted, request)))
      throw new HttpProblem(429, 'Too many requests', RETRY_AFTER)
  })
}

/** What counts as one remote address. */
export function remoteNetwork(ip: string): string {
  return normalizeIP(ip, IPV6_PREFIX)
}
