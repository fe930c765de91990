/** Finds out on whose behalf a request comes, before anything of its body is read. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ANONYMOUS_SUBJECT } from '../../domain/address.js'
import type { VerifyLicense } from '../../ports.js'
import { HttpProblem } from '../contract/problem.js'
import { headerLines } from '../wire/header-lines.js'
import { remoteNetwork } from './rate-limit.js'

/** Interface, Authentication: the detail of a request without a token. */
export const MISSING_TOKEN = 'Missing license token'

const CHALLENGE = { 'www-authenticate': 'Bearer' }

/**
 * Sets `request.subject`, or refuses with 401 or 402. Routes opt out by `config.access`.
 * Without a verifier every request is the anonymous subject's, whatever token it carries.
 */
export function registerAuthentication(app: FastifyInstance, verifyLicense: VerifyLicense | null): void {
  app.decorateRequest('subject', '')
  const isLicensed = ({ routeOptions }: FastifyRequest): boolean => (routeOptions.config.access ?? 'license') === 'license'
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
 * The token of either header. Two different ones are refused: a proxy and the service might each pick the other,
 * and act for different subjects. So are two different lines of one header: Node.js keeps the first `Authorization` without a word.
 */
function readToken({ headers, raw }: FastifyRequest): string {
  const [authorization = '', ...others] = new Set(headerLines(raw, 'authorization'))
  if (others.length > 0) throw new HttpProblem(401, 'Invalid license: Authorization is given twice, with different values', CHALLENGE)
  const bearer = /^bearer\s+(\S.*)$/i.exec(authorization)?.[1] ?? ''
  // Node.js joins several lines of it, and two tokens with a comma between them are none.
  const apiKey = String(headers['x-api-key'] ?? '').trim()
  if (bearer !== '' && apiKey !== '' && bearer !== apiKey) {
    throw new HttpProblem(401, 'Invalid license: Authorization and X-API-Key carry different tokens', CHALLENGE)
  }
  const token = bearer === '' ? apiKey : bearer
  if (token === '') throw new HttpProblem(401, MISSING_TOKEN, CHALLENGE)
  return token
}
