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
    description: 'Where it listens: a host name or an address.'
  }),
  SERVICE_PORT: Type.Integer({ default: 8000, minimum: 0, maximum: 65_535, description: 'Where it listens; 0 takes a free port.' }),
  SERVICE_ALLOWED_HOSTS: optionalText(
    'Names that requests may ask for, beside loopback, `SERVICE_HOST` and the address that was connected to. Not set: any with a licence, no other without.',
    `^${HOST}(\\s*,\\s*${HOST})*$`,
    'names or addresses like memory.example or memory.example:8000, with commas between',
    HOSTS
  ),
  SERVICE_LICENSE_PUBLIC_KEY: optionalText(
    'Ed25519 public key that licence tokens are verified with: PEM, JWK, or a path to one; several, one after another or as a JWK set, while keys are exchanged. Needed unless anonymous.'
  ),
  SERVICE_ALLOW_ANONYMOUS: flag('`1` skips authentication: every request is one anonymous community-tier caller.'),
  SERVICE_SESSION_BACKEND: choice(['memory', 'redis', 'mongo'], 'memory', 'Where sessions live.'),
  REDIS_URL: optionalText('Redis server, for the `redis` backend.', '^rediss?://\\S+$', 'an address like redis://host:6379'),
  MONGO_URL: optionalText(
    'MongoDB replica set, for the `mongo` backend.',
    '^mongodb(\\+srv)?://\\S+$',
    'an address like mongodb://host:27017/name'
  ),
  DATABASE_URL: optionalText(
    'Read only with `SERVICE_STATE_PERSIST=1`: `postgres://…` or `sqlite:path`.',
    '^(postgres(ql)?://\\S+|sqlite:(?!:memory:).+)$',
    'postgres://… or sqlite: and the path of a file'
  ),
  NATS_URL: optionalText(
    'Makes this process a node of the cluster on that NATS. Not set: one node, nothing else needed.',
    '^(nats|tls)://[^\\s,]+(,(nats|tls)://[^\\s,]+)*$',
    'one address like nats://host:4222, or several with commas between'
  ),
  SERVICE_NODE_ID: optionalText(
    'Name of this node among the others, the same after a restart. Not set: a new random one at each start.',
    '^[A-Za-z0-9_-]{1,64}$',
    '1 to 64 letters, digits, _ and -'
  ),
  SERVICE_CLUSTER_MEMORY: flag('`1` accepts that several nodes without a shared durable backend lose the sessions of a node with it.'),
  SERVICE_WORKERS: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 64,
    description: 'Processes that serve the one port, as nodes among themselves: as many as the machine has processors to give.'
  }),
  SERVICE_STATE_PERSIST: flag('`1` keeps the `memory` backend in `DATABASE_URL`.'),
  // Interface, Limits: SERVICE_MAX_SESSIONS. Ten million actors of 4 KB are already more than one process's heap.
  SERVICE_MAX_SESSIONS: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 10_000_000,
    description: 'Sessions active at once; over it the least recently used is evicted.'
  }),
  SERVICE_MAX_SESSIONS_PER_SUBJECT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 10_000_000,
    description: 'Sessions of one subject active at once on a node; over it its own least recently used is evicted. 0 sets no such limit.'
  }),
  SERVICE_MAX_BYTES_PER_SUBJECT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1_099_511_627_776,
    description:
      'Bytes that one subject holds in memory on a node; over it its own least recently used sessions are evicted. 0 sets no such limit.'
  }),
  SERVICE_SUBJECT_CONCURRENCY: Type.Integer({
    default: 32,
    minimum: 1,
    maximum: 1_000,
    description:
      'Commands, and streams of the chat proxy, that one subject may have under way at once on a node; the rest waits in its own queue. Never more than 150 commands and 750 streams, so that a quarter is left to others.'
  }),
  SERVICE_SESSION_IDLE_TTL_S: seconds(1800, 'Seconds without a request after which a session is evicted.'),
  SERVICE_SESSION_SWEEP_S: seconds(60, 'Seconds between two looks for idle sessions.'),
  SERVICE_EMBEDDER: choice(
    ['auto', 'transformers', 'http', 'lexical'],
    'auto',
    '`auto` takes `transformers` where its weights can be loaded, else `lexical`.'
  ),
  SERVICE_EMBEDDING_URL: webAddress('Base of an OpenAI-compatible service, or its `/embeddings` address itself, for the `http` embedder.'),
  SERVICE_EMBEDDING_API_KEY: bearerToken('Sent to that endpoint as a bearer token.'),
  SERVICE_MODEL_DIR: Type.String({
    default: './models',
    minLength: 1,
    allowed: 'a path',
    description: 'Local weights, looked at before any download.'
  }),
  SERVICE_RATE_LIMIT_PER_MINUTE: Type.Integer({
    default: 600,
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Requests a minute from one remote address, at all nodes together; 0 turns the limit off.'
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
  SERVICE_CONTEXT_TOKENS: Type.Integer({ default: 350, minimum: 32, maximum: 1_000_000, description: 'Longest context block, in tokens.' }),
  // 256 MiB: V8 refuses strings over 512 MiB, and a body is held both as bytes and as text.
  SERVICE_BODY_LIMIT_BYTES: Type.Integer({
    default: 4_194_304,
    minimum: 1024,
    maximum: 268_435_456,
    description:
      'Largest request body; over it: 413. JSON of more than 10,000 lists and objects, and one more for every 40 bytes, or of an object with more than 10,000 fields is 422, and so is JSON nested deeper than 64 levels.'
  }),
  // The default holds an export of some 13,000 short memories with vectors of 384 numbers.
  SERVICE_IMPORT_LIMIT_BYTES: Type.Integer({
    default: 33_554_432,
    minimum: 1024,
    maximum: 268_435_456,
    description:
      'Largest body that holds an export: to import it, or to verify against it. Over it, and over SERVICE_BODY_LIMIT_BYTES where that is larger: 413. Counts towards the memory for work like any body.'
  }),
  SERVICE_MAX_MEMORIES: Type.Integer({
    default: 100_000,
    minimum: 1,
    maximum: 10_000_000,
    description: 'Memories a session holds; over it: 409, and nothing is dropped.'
  }),
  // 1 TiB: more than any machine that the service is meant for.
  SERVICE_MAX_SESSION_BYTES: Type.Integer({
    default: 1_073_741_824,
    minimum: 1024,
    maximum: 1_099_511_627_776,
    description:
      'Bytes of memory that a session may take, or a cluster, region, observer or network: vectors, texts, indexes, entities, settings; over it: 409, and nothing is lost.'
  }),
  // 64 MiB is less than the runtime alone takes; 1 PiB is more than any machine has.
  SERVICE_MEMORY_LIMIT_MB: Type.Optional(
    Type.Integer({
      minimum: 64,
      maximum: 1_073_741_824,
      description:
        'Megabytes (of 2^20 bytes) that the process may take of the machine. Not set: nine tenths of what the container or machine has. ' +
        'Sessions and work share what is left of it beside the runtime; what does not fit evicts idle sessions, or gets 503. Of what others leave one licence has seven eighths for its sessions.'
    })
  ),
  SERVICE_UPSTREAM_URL: webAddress('Model service behind the chat proxy: a base that ends in `/v1`.'),
  SERVICE_UPSTREAM_API_KEY: bearerToken('Sent to that service as a bearer token.'),
  SERVICE_DEBUG_UI: flag('`1` mounts the live debugger under `/v1/debug/`.'),
  SERVICE_DEBUG_TRACE: flag('`1` emits debug events.'),
  SERVICE_DEBUG_RING: Type.Integer({
    default: 2048,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Debug events kept for replay, for each subject.'
  }),
  SERVICE_COMPLIANCE: flag('`1` mounts the compliance pack; needs a durable backend.'),
  SERVICE_MCP: Type.Boolean({
    default: true,
    description: '`0` leaves out `/mcp`, where clients of the Model Context Protocol find tools: the same routes, with the same licence.'
  }),
  // RFC 7617: the name ends at the first colon.
  METRICS_USER: optionalText(
    'Name for `/metrics`; without it and the password the route answers 503.',
    '^[^:]+$',
    'a name without a colon'
  ),
  METRICS_PASSWORD: optionalText('Password for `/metrics`.'),
  CORS_ALLOW_ORIGINS: optionalText(
    'Origins that browsers may call from, with commas between, or `*`.',
    '^(\\*|https?://[^\\s,/*@?#]+(\\s*,\\s*https?://[^\\s,/*@?#]+)*)$',
    '* or origins like https://app.example, with commas between',
    ORIGINS
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress(
    'Collector that traces are sent to, by the OpenTelemetry protocol: a base, to which `/v1/traces` is added. Not set: none are.'
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webAddress('The same for traces alone, as a whole address.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: choice(['http/protobuf', 'http/json'], 'http/protobuf', 'How they are written.'),
  OTEL_SDK_DISABLED: choice(['true', 'false'], 'false', '`true` sends none, whatever else is set.'),
  SERVICE_LOG_LEVEL: choice(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
    'Least severe log line that is written.'
  )
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
  const above = schema['exclusiveMinimum'] === undefined ? `from ${schema['minimum']}` : `above ${schema['exclusiveMinimum']},`
  return `${kind} ${above} to ${schema['maximum']}`
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

/** The maximum is the longest timer of Node.js, 2^31 - 1 ms, in whole seconds. */
function seconds(initial: number, description: string) {
  return Type.Number({ default: initial, exclusiveMinimum: 0, maximum: 2_147_483, description })
}
