/** Determines the subject of a request before any of its body is read. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ANONYMOUS_SUBJECT } from '../../domain/address.js'
import type { VerifyLicense } from '../../ports.js'
import { HttpProblem } from '../contract/problem.js'
import { routeOf } from '../contract/route.js'
import { headerLines } from '../wire/header-lines.js'
import { remoteNetwork } from './rate-limit.js'

/** Interface, Authentication: the detail of a request without a token. */
export const MISSING_TOKEN = 'Missing license token'

const CHALLENGE = { 'www-authenticate': 'Bearer' }

/**
 * Sets `request.subject`, or refuses with 401 or 402. Routes opt out by `config.access`. Without a verifier every request belongs to the
 * anonymous subject, whatever token it carries.
 */
export function registerAuthentication(app: FastifyInstance, verifyLicense: VerifyLicense | null): void {
  app.decorateRequest('subject', '')
  const isLicensed = (request: FastifyRequest): boolean => (routeOf(request).config.access ?? 'license') === 'license'
  if (verifyLicense === null)
    app.addHook('onRequest', (request, _reply, done) => {
      if (isLicensed(request)) request.subject = ANONYMOUS_SUBJECT
      done()
    })
  else
    app.addHook('onRequest', async (request, { raw }) => {
      const caller = { isWanted: () => !raw.destroyed, address: remoteNetwork(request.ip) }
      if (isLicensed(request)) request.subject = await authenticate(request, (token) => verifyLicense(token, caller))
    })
}

async function authenticate(request: FastifyRequest, verifyLicense: VerifyLicense): Promise<string> {
  const verdict = await verifyLicense(readToken(request))
  if (verdict.outcome === 'valid') return verdict.subject
  if (verdict.outcome === 'expired') throw new HttpProblem(402, 'License expired: renew it to continue')
  throw new HttpProblem(401, `Invalid license: ${verdict.reason}`, CHALLENGE)
}

/**
 * Returns the token from either header. Two different tokens are refused: a proxy and the service might each choose another one, and act
 * for different subjects. So are two different lines of one header, because Node.js silently keeps the first `Authorization`.
 */
function readToken({ headers, raw }: FastifyRequest): string {
  const [authorization = '', ...others] = new Set(headerLines(raw, 'authorization'))
  if (others.length > 0) throw new HttpProblem(401, 'Invalid license: Authorization is given twice, with different values', CHALLENGE)
  const bearer = /^bearer\s+(\S.*)$/i.exec(authorization)?.[1] ?? ''
  // Node.js joins several lines of this header; two tokens separated by a comma are not a valid one.
  const apiKey = String(headers['x-api-key'] ?? '').trim()
  if (bearer !== '' && apiKey !== '' && bearer !== apiKey) {
    throw new HttpProblem(401, 'Invalid license: Authorization and X-API-Key carry different tokens', CHALLENGE)
  }
  const token = bearer === '' ? apiKey : bearer
  if (token === '') throw new HttpProblem(401, MISSING_TOKEN, CHALLENGE)
  return token
}
