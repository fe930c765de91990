/** Addresses and credentials of the NATS servers. */

export interface ServerUrl {
  /** `host:port` of each server. */
  readonly servers: readonly string[]
  readonly isEncrypted: boolean
  /** User and password, or a token alone. Those of the first address that has any apply to all. */
  readonly credentials: { readonly user: string; readonly pass: string } | { readonly token: string } | null
}

const SCHEMES: ReadonlySet<string> = new Set(['nats:', 'tls:'])

/** Default port of NATS. */
const PORT_DEFAULT = '4222'

/** Parses `nats://user:password@host:port`, or `tls://` for TLS, several separated by commas. Throws without quoting any of it. */
export function parseServerUrl(text: string): ServerUrl {
  const urls = text.split(',').map((part) => toUrl(part.trim()))
  const named = urls.find(({ username }) => username !== '')
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? PORT_DEFAULT : port}`),
    isEncrypted: urls.some(({ protocol }) => protocol === 'tls:'),
    credentials: named === undefined ? null : toCredentials(named)
  }
}

function toUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !SCHEMES.has(url.protocol) || url.hostname === '')
    throw new Error('The address of a NATS server is not like nats://host:port')
  return url
}

function toCredentials({ username, password }: URL): ServerUrl['credentials'] {
  const user = decodeURIComponent(username)
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) }
}
