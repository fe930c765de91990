/** Which NATS servers may connect nodes. */

/** A server's information about itself, sent to each client that connects. */
interface ServerFacts {
  readonly version: string
  /** Name of its cluster; absent for a single server. */
  readonly cluster?: string
  readonly jetstream?: boolean
  /** Maximum bytes of a message. */
  readonly max_payload: number
}

/**
 * Older servers in a cluster do not always keep what they have acknowledged: with three servers of 2.9.10, which Debian 12 ships, more than
 * one writer won in 204 of 400 rounds of compare-and-set.
 */
const CLUSTERED_VERSION_MIN = [2, 10, 23] as const

/** Bytes of the largest vector, 16,384 floats, which has to fit in one message. */
const PAYLOAD_MIN = 65_536

/** Why this server must not be used, in a sentence for its operator; null when it may be. */
export function serverProblem({ version, cluster, jetstream, max_payload: payloadMax }: ServerFacts): string | null {
  if (cluster !== undefined && cluster !== '' && isOlder(version, CLUSTERED_VERSION_MIN)) {
    return `The NATS server is one of a cluster and of version ${version}: clusters need ${CLUSTERED_VERSION_MIN.join('.')} or newer`
  }
  if (jetstream !== true)
    return 'The NATS server has no JetStream, which keeps outbox messages between nodes: start it with JetStream enabled'
  if (payloadMax < PAYLOAD_MIN) return `The NATS server takes messages up to ${payloadMax} bytes: set max_payload to ${PAYLOAD_MIN} or more`
  return null
}

function isOlder(version: string, than: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  for (const [index, wanted] of than.entries()) {
    const part = parts[index] ?? 0
    // A version that is not numeric counts as too old.
    if (Number.isNaN(part) || part < wanted) return true
    if (part > wanted) return false
  }
  return false
}
