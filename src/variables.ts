/** Environment variables that configure the service: name, type, range, default and meaning. */
import { FormatRegistry, type Static, type TSchema, Type } from '@sinclair/typebox'

/** Pattern of a Host header: a name or address, IPv6 in brackets, with an optional port. */
const HOST = '([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:\\d{1,5})?'

/** Formats checked in addition to the patterns: a text may match and still be no address, for example with port 99999. */
const ADDRESS = 'address'
FormatRegistry.Set(ADDRESS, (text) => URL.canParse(text) && !MALFORMED_ESCAPE.test(text))
const HOSTS = 'hosts'
FormatRegistry.Set(HOSTS, (text) => listOf(text).every((host) => URL.canParse(`http://${host}`)))
const ORIGINS = 'origins'
FormatRegistry.Set(ORIGINS, (text) => text === '*' || listOf(text).every((origin) => URL.canParse(origin)))

/** The path of a file, or an address. */
const DATABASE = 'database'
FormatRegistry.Set(DATABASE, (text) => text.startsWith('sqlite:') || URL.canParse(text))

/** Smallest memory limit of a process, in MiB: less than the runtime alone takes. */
export const MEMORY_LIMIT_MB_MIN = 64

/** A bare percent sign in a password is ambiguous: it may be meant literally or as an escape. */
const MALFORMED_ESCAPE = /%(?![\dA-Fa-f]{2})/

/** Splits a comma-separated list and trims its items. */
export function listOf(text: string | undefined): readonly string[] {
  return text?.split(',').map((item) => item.trim()) ?? []
}

/** Schema of the settings, by environment variable. `allowed` describes a string's rule in the error message. */
export const variables = Type.Object({
  SERVICE_HOST: Type.String({
    default: '127.0.0.1',
    pattern: '^\\S+$',
    allowed: 'a host name or address',
    description: 'Host name or address that the service listens on.'
  }),
  SERVICE_PORT: Type.Integer({
    default: 8000,
    minimum: 0,
    maximum: 65_535,
    description: 'Port that the service listens on; 0 takes a free one.'
  }),
  SERVICE_ALLOWED_HOSTS: optionalText(
    'Host names that requests may be addressed to, besides loopback, `SERVICE_HOST` and the address of the connection. Not set: any name with licences, no other name without.',
    `^${HOST}(\\s*,\\s*${HOST})*$`,
    'names or addresses like memory.example or memory.example:8000, with commas between',
    HOSTS
  ),
  SERVICE_LICENSE_PUBLIC_KEY: optionalText(
    'Ed25519 public key that verifies licence tokens: PEM, JWK, or a path to one. While keys are exchanged: several, one after another or as a JWK set. Required unless `SERVICE_ALLOW_ANONYMOUS=1`.'
  ),
  SERVICE_ALLOW_ANONYMOUS: flag('`1` skips authentication: every request comes from the same anonymous community-tier caller.'),
  SERVICE_SESSION_BACKEND: choice(['memory', 'redis', 'mongo'], 'memory', 'Backend that keeps the sessions.'),
  REDIS_URL: optionalText('Redis server, for the `redis` backend.', '^rediss?://\\S+$', 'an address like redis://host:6379', ADDRESS),
  MONGO_URL: optionalText(
    'MongoDB replica set, for the `mongo` backend.',
    '^mongodb(\\+srv)?://\\S+$',
    'an address like mongodb://host:27017/name'
  ),
  DATABASE_URL: optionalText(
    'Database that sessions are stored in, as `postgres://…` or `sqlite:path`. Read only with `SERVICE_STATE_PERSIST=1`.',
    '^(postgres(ql)?://\\S+|sqlite:(?!:memory:).+)$',
    'postgres://… or sqlite: and the path of a file',
    DATABASE
  ),
  NATS_URL: optionalText(
    'NATS servers that connect several nodes, of which this process becomes one. Not set: a single node, which needs no NATS.',
    '^(nats|tls)://[^\\s,]+(,(nats|tls)://[^\\s,]+)*$',
    'one address like nats://host:4222, or several with commas between'
  ),
  SERVICE_NODE_ID: optionalText(
    'Unique name of this node, kept over restarts. Not set: a new random name at each start.',
    '^[A-Za-z0-9_-]{1,64}$',
    '1 to 64 letters, digits, _ and -'
  ),
  SERVICE_CLUSTER_MEMORY: flag('`1` allows several nodes without a shared durable backend: the sessions of a node are lost when it stops.'),
  SERVICE_WORKERS: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 64,
    description:
      'Worker processes that serve the same port, each as a node of its own. Set it to the number of processors that the machine can spare.'
  }),
  SERVICE_STATE_PERSIST: flag('`1` stores the sessions of the `memory` backend in `DATABASE_URL`.'),
  // Interface, Limits: SERVICE_MAX_SESSIONS. Ten million actors of 4 KB are already more than one process's heap.
  SERVICE_MAX_SESSIONS: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 10_000_000,
    description: 'Maximum number of active sessions; beyond it the least recently used one is evicted.'
  }),
  SERVICE_MAX_SESSIONS_PER_SUBJECT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 10_000_000,
    description:
      "Maximum number of active sessions of one subject on a node; beyond it that subject's least recently used one is evicted. 0: no limit."
  }),
  SERVICE_MAX_BYTES_PER_SUBJECT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1_099_511_627_776,
    description:
      "Maximum bytes of memory that one subject holds on a node; beyond it that subject's least recently used sessions are evicted. 0: no limit."
  }),
  SERVICE_SUBJECT_CONCURRENCY: Type.Integer({
    default: 32,
    minimum: 1,
    maximum: 1_000,
    description:
      "Maximum number of commands, and of chat proxy streams, that one subject has in progress at once on a node; further ones wait in that subject's own queue. Capped at 150 commands and 750 streams, which leaves a quarter to others."
  }),
  SERVICE_SESSION_IDLE_TTL_S: seconds(1800, 'Seconds without a request after which a session is evicted.'),
  SERVICE_SESSION_SWEEP_S: seconds(60, 'Seconds between two checks for idle sessions.'),
  SERVICE_EMBEDDER: choice(
    ['auto', 'transformers', 'http', 'lexical'],
    'auto',
    'Embedder that makes the vectors. `auto` takes `transformers` if its weights can be loaded, otherwise `lexical`.'
  ),
  SERVICE_EMBEDDING_URL: webAddress(
    'Endpoint of the `http` embedder: the base address of an OpenAI-compatible service, or its `/embeddings` address itself.'
  ),
  SERVICE_EMBEDDING_API_KEY: bearerToken('Bearer token that is sent to `SERVICE_EMBEDDING_URL`.'),
  SERVICE_MODEL_DIR: Type.String({
    default: './models',
    minLength: 1,
    allowed: 'a path',
    description: 'Folder of local model weights, searched before any download.'
  }),
  SERVICE_RATE_LIMIT_PER_MINUTE: Type.Integer({
    default: 600,
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Maximum requests per minute from one remote address, counted over all nodes; 0 turns the limit off.'
  }),
  SERVICE_DRIFT_THRESHOLD: Type.Number({
    default: 0.5,
    minimum: 0,
    maximum: 1,
    description: 'Drift score from which a turn counts as drifted.'
  }),
  SERVICE_UPDATE_THRESHOLD: Type.Number({
    default: 0.85,
    minimum: -1,
    maximum: 1,
    description: 'Similarity from which a text counts as an update of a memory.'
  }),
  // 32 tokens are 128 characters. Fewer would not hold the first line of a context block and one short hit.
  SERVICE_CONTEXT_TOKENS: Type.Integer({
    default: 350,
    minimum: 32,
    maximum: 1_000_000,
    description: 'Maximum length of a context block, in tokens.'
  }),
  // 256 MiB: V8 refuses strings over 512 MiB, and a body is held both as bytes and as text.
  SERVICE_BODY_LIMIT_BYTES: Type.Integer({
    default: 4_194_304,
    minimum: 1024,
    maximum: 268_435_456,
    description:
      'Maximum bytes of a request body; a larger one gets 413. JSON gets 422 if it has more than 10,000 lists and objects plus one for every 40 bytes, an object with more than 10,000 fields, a field name of more than 64 KiB, or more than 64 levels of nesting.'
  }),
  // The default holds an export of some 13,000 short memories with vectors of 384 numbers.
  SERVICE_IMPORT_LIMIT_BYTES: Type.Integer({
    default: 33_554_432,
    minimum: 1024,
    maximum: 268_435_456,
    description:
      'Maximum bytes of a body that holds an export, for import and verify. The larger of this and `SERVICE_BODY_LIMIT_BYTES` applies; a body beyond it gets 413. Such a body counts towards the memory for work like any other.'
  }),
  SERVICE_MAX_MEMORIES: Type.Integer({
    default: 100_000,
    minimum: 1,
    maximum: 10_000_000,
    description: 'Maximum number of memories in a session. A request beyond it gets 409, and nothing is dropped.'
  }),
  // 64 KiB hold a session of the default dimension for some turns. 1 TiB: more than any machine that the service is meant for.
  SERVICE_MAX_SESSION_BYTES: Type.Integer({
    default: 1_073_741_824,
    minimum: 65_536,
    maximum: 1_099_511_627_776,
    description:
      'Maximum bytes of memory of one session, cluster, region, observer or network: vectors, texts, indexes, entities, settings. A request beyond it gets 409, and nothing is lost.'
  }),
  // 1 PiB is more than any machine has.
  SERVICE_MEMORY_LIMIT_MB: Type.Optional(
    Type.Integer({
      minimum: MEMORY_LIMIT_MB_MIN,
      maximum: 1_073_741_824,
      description:
        'Maximum megabytes (of 2^20 bytes) that the process takes of the machine, or all `SERVICE_WORKERS` together, 64 for each at least. Not set: nine tenths of what the container or machine has. ' +
        'Sessions and work share what the runtime leaves of it. What does not fit evicts idle sessions, or gets 503; what never will gets 409, a body 413. The sessions of one licence may take seven eighths of what other licences leave.'
    })
  ),
  SERVICE_UPSTREAM_URL: webAddress(
    'Model service behind the chat proxy: a base address that ends in `/v1`, or its `/chat/completions` address itself.'
  ),
  SERVICE_UPSTREAM_API_KEY: bearerToken('Bearer token that is sent to `SERVICE_UPSTREAM_URL`.'),
  SERVICE_DEBUG_UI: flag('`1` mounts the live debugger under `/v1/debug/`.'),
  SERVICE_DEBUG_TRACE: flag('`1` emits debug events.'),
  SERVICE_DEBUG_RING: Type.Integer({
    default: 2048,
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Maximum number of debug events kept for replay, per subject: some 2 KB each, for 64 subjects. Fewer where all of them would take more than 128 MiB, a sixteenth of the memory or an eighth of the heap.'
  }),
  SERVICE_COMPLIANCE: flag('`1` mounts the compliance pack; needs a durable backend.'),
  SERVICE_MCP: Type.Boolean({
    default: true,
    description:
      '`0` turns off `/mcp`, where clients of the Model Context Protocol find tools. These call the same routes with the same licence.'
  }),
  // RFC 7617: the name ends at the first colon, and neither holds control characters, such as the line break at the end of a secret's file.
  METRICS_USER: optionalText(
    'User name for `/metrics`. The route answers 503 unless this and the password are set.',
    '^[^:\\x00-\\x1f\\x7f]+$',
    'a name without a colon or control characters'
  ),
  METRICS_PASSWORD: optionalText('Password for `/metrics`.', '^[^\\x00-\\x1f\\x7f]+$', 'text without control characters'),
  CORS_ALLOW_ORIGINS: optionalText(
    'Origins that browsers may call from, separated by commas, or `*` for any.',
    '^(\\*|https?://[^\\s,/*@?#]+(\\s*,\\s*https?://[^\\s,/*@?#]+)*)$',
    '* or origins like https://app.example, with commas between',
    ORIGINS
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress(
    'Base address of the OpenTelemetry collector that traces are sent to; `/v1/traces` is appended. No traces are sent unless this or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is set.'
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webAddress('Whole address that traces are sent to, in place of `OTEL_EXPORTER_OTLP_ENDPOINT`.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: choice(['http/protobuf', 'http/json'], 'http/protobuf', 'Encoding of the traces.'),
  OTEL_SDK_DISABLED: choice(['true', 'false'], 'false', '`true` turns traces off: the variables `OTEL_EXPORTER_*` are then not read.'),
  SERVICE_LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info', 'Lowest severity that is logged.')
})

export type VariableName = keyof Static<typeof variables>
export type Variables = Static<typeof variables>

/** Describes in words what a variable accepts, for error messages and documentation. */
export function allowedValues(name: VariableName): string {
  const schema: TSchema = variables.properties[name]
  if (schema['type'] === 'boolean') return '0 or 1'
  if (Array.isArray(schema['anyOf'])) return `one of ${schema['anyOf'].map((member: TSchema) => String(member['const'])).join(', ')}`
  if (schema['type'] === 'string') return String(schema['allowed'] ?? 'text')
  const kind = schema['type'] === 'integer' ? 'a whole number' : 'a number'
  return `${kind} from ${schema['minimum']} to ${schema['maximum']}`
}

function optionalText(description: string, pattern = '[^]', allowed = 'text', format?: string) {
  return Type.Optional(Type.String({ description, pattern, allowed, ...(format !== undefined && { format }) }))
}

function webAddress(description: string) {
  return optionalText(description, '^https?://\\S+$', 'an http:// or https:// address', ADDRESS)
}

/** Text that may stand in a header. */
function bearerToken(description: string) {
  return optionalText(description, '^[!-~]+$', 'visible ASCII characters')
}

/** Off unless `1`. */
function flag(description: string) {
  return Type.Boolean({ default: false, description })
}

function choice<const Value extends string>(values: readonly Value[], initial: NoInfer<Value>, description: string) {
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    { default: initial, description }
  )
}

/**
 * At least a second: a check every few milliseconds would take the time of the requests, and a session without a second to live would be
 * read back for each. The maximum is the longest timer of Node.js, 2^31 - 1 ms, in whole seconds.
 */
function seconds(initial: number, description: string) {
  return Type.Number({ default: initial, minimum: 1, maximum: 2_147_483, description })
}
