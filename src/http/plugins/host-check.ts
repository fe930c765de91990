/** Answers only under names that are the service's own: a page whose name is made to lead here would read all that needs no token. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { HostRules } from '../contract/contracts.js'
import { HttpProblem } from '../contract/problem.js'

interface Authority {
  /** In small letters; IPv6 in brackets. */
  readonly name: string
  /** As written; undefined for the protocol's own. */
  readonly port: string | undefined
}

/** Names of this machine that no name server can give to somebody else. Any port: what publishes or forwards one may choose another. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/** Scheme and authority of a target in absolute form, which RFC 9112, 3.2.2 puts above the Host field. */
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i

/**
 * Refuses with 421 what was asked under another name than loopback's, the configured one, the address that the connection came in on,
 * or a listed one; with 400 what names two. HTTP/1.0 without a name passes: probes send it, browsers cannot. `/metrics` has a password
 * of its own, and scrapers know the service by names of their own.
 */
export function registerHostCheck(app: FastifyInstance, rules: HostRules): void {
  const listed = rules.listed.map(toAuthority)
  const fixed = [...LOOPBACK_NAMES, nameOfAddress(rules.listensOn)]
  const isOwn = ({ name, port }: Authority, localAddress: string | undefined): boolean =>
    fixed.includes(name) ||
    (localAddress !== undefined && name === nameOfAddress(localAddress)) ||
    listed.some((one) => one?.name === name && (one.port === undefined || one.port === port))

  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404 && request.routeOptions.config.access === 'basic') return done()
    for (const named of namesOf(request)) {
      const authority = toAuthority(named)
      if (authority === null || !isOwn(authority, request.socket.localAddress)) {
        throw new HttpProblem(421, 'The service does not answer under this host name: SERVICE_ALLOWED_HOSTS may list it')
      }
    }
    done()
  })
}

/** What the request calls the service: in its Host field, of which there is one by then, and in a target in absolute form. */
function namesOf({ raw, headers }: FastifyRequest): string[] {
  const [, target] = ABSOLUTE_FORM.exec(raw.url ?? '') ?? []
  return [headers.host, target].filter((name) => name !== undefined)
}

/** Null for what is no name or address with at most a port behind it. */
function toAuthority(text: string): Authority | null {
  const [, name, port] = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(text) ?? []
  return name === undefined ? null : { name: name.toLowerCase(), port }
}

/** An address as Host fields write it. IPv4 that came in on a socket of IPv6 is written as IPv4. */
function nameOfAddress(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return plain.includes(':') ? `[${plain}]` : plain
}
