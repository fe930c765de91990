/**
 * Answers only under the service's own host names. Otherwise a page whose name is made to resolve to this machine could read everything
 * that needs no token.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { HostRules } from '../contract/contracts.js'
import { HttpProblem } from '../contract/problem.js'
import { routeOf } from '../contract/route.js'

interface Authority {
  /** In lower case; IPv6 in brackets. */
  readonly name: string
  /** As written; undefined for the default port. */
  readonly port: string | undefined
}

/** Loopback names, which no name server can give to anybody else. Any port matches, because forwarding may change it. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/** Scheme and authority of a target in absolute form, which by RFC 9112, 3.2.2 overrides the Host field. */
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i

/**
 * Refuses with 421 a request under any name but loopback's, the configured one, the address on which the connection arrived, or a listed
 * one; refuses with 400 one that names two. HTTP/1.0 without a name passes: probes send it, and browsers cannot. `/metrics` is exempt: it
 * has a password of its own, and scrapers use names of their own for the service.
 */
export function registerHostCheck(app: FastifyInstance, rules: HostRules): void {
  const listed = rules.listed.map(toAuthority)
  const fixed = [...LOOPBACK_NAMES, nameOfAddress(rules.listensOn)]
  const isOwn = ({ name, port }: Authority, localAddress: string | undefined): boolean =>
    fixed.includes(name) ||
    (localAddress !== undefined && name === nameOfAddress(localAddress)) ||
    listed.some((one) => one?.name === name && (one.port === undefined || one.port === port))

  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404 && routeOf(request).config.access === 'basic') return done()
    for (const named of namesOf(request)) {
      const authority = toAuthority(named)
      if (authority === null || !isOwn(authority, request.socket.localAddress)) {
        throw new HttpProblem(421, 'The service does not answer to this host name, unless SERVICE_ALLOWED_HOSTS lists it')
      }
    }
    done()
  })
}

/** Names that the request uses for the service: the Host field, by now unique, and a target in absolute form. */
function namesOf({ raw, headers }: FastifyRequest): string[] {
  const [, target] = ABSOLUTE_FORM.exec(raw.url ?? '') ?? []
  return [headers.host, target].filter((name) => name !== undefined)
}

/** Returns null for a text that is not a name or address with an optional port. */
function toAuthority(text: string): Authority | null {
  const [, name, port] = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(text) ?? []
  return name === undefined ? null : { name: name.toLowerCase(), port }
}

/** Writes an address as Host fields do. An IPv4 address of an IPv6 socket is written as IPv4. */
function nameOfAddress(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return plain.includes(':') ? `[${plain}]` : plain
}
