import { readFileSync } from 'node:fs'
import type { TSchema } from '@sinclair/typebox'
import fc from 'fast-check'
import t from 'tap'
import { ConfigError, type Environment, readConfig, readIdleSettings, readSetting, readStorageConfig } from '../src/config.js'
import { allowedValues, type VariableName, variables } from '../src/variables.js'

const keyed: Environment = { SERVICE_LICENSE_PUBLIC_KEY: 'keys/public.pem' }
const names = Object.keys(variables.properties) as VariableName[]

function problemsOf(env: Environment): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

t.test('config: nothing but a key, the documented defaults', async (t) => {
  const config = readConfig(keyed)
  t.match(config, {
    http: { host: '127.0.0.1', port: 8000, bodyLimitBytes: 4194304, importLimitBytes: 33554432, rateLimitPerMinute: 600, corsOrigins: [] },
    auth: { licensePublicKey: 'keys/public.pem', allowAnonymous: false },
    storage: { backend: 'memory' },
    sessions: { activeMax: 10000, idleTtlS: 1800, sweepS: 60, memoriesMax: 100000 },
    embedder: { kind: 'auto', modelDir: './models' },
    debug: { ui: false, trace: false, ringMax: 2048 },
    compliance: false,
    logLevel: 'info'
  })
  t.match(config.sessions, { driftThreshold: 0.5, updateThreshold: 0.85, contextTokensMax: 350 })
  t.equal(config.metrics, undefined)
  t.equal(config.upstream, undefined)
  t.equal(config.nodes, undefined)
})

t.test('config: one setting alone, as it is read among all', async (t) => {
  t.equal(readSetting({ SERVICE_MODEL_DIR: '' }, 'SERVICE_MODEL_DIR'), './models')
  t.equal(readSetting({ SERVICE_MODEL_DIR: 'there', SERVICE_PORT: 'none' }, 'SERVICE_MODEL_DIR'), 'there')
  t.equal(readSetting({ NATS_URL: '' }, 'NATS_URL'), undefined)
  t.throws(
    () => readSetting({ SERVICE_PORT: 'none' }, 'SERVICE_PORT'),
    new ConfigError(['SERVICE_PORT must be a whole number from 0 to 65535.'])
  )
})

t.test('config: an empty string, the same as not set', async (t) => {
  const empty = Object.fromEntries(names.map((name) => [name, '']))
  t.same(readConfig({ ...empty, ...keyed }), readConfig(keyed))
})

t.test('config: unknown variables, ignored', async (t) => {
  t.same(readConfig({ ...keyed, SERVICE_COLOUR: 'blue', PATH: '/bin' }), readConfig(keyed))
})

t.test('config: a bad value of each kind, refused by name with what is allowed', async (t) => {
  const cases: [VariableName, string, RegExp][] = [
    ['SERVICE_PORT', '65536', /^SERVICE_PORT must be a whole number from 0 to 65535\.$/],
    ['SERVICE_PORT', '80.5', /whole number/],
    ['SERVICE_PORT', '0x50', /whole number/],
    ['SERVICE_MAX_SESSIONS', '0', /from 1 to/],
    ['SERVICE_SESSION_IDLE_TTL_S', '0.9', /a number from 1 to 2147483/],
    ['SERVICE_SESSION_SWEEP_S', '0.0000001', /a number from 1 to 2147483/],
    ['SERVICE_SESSION_SWEEP_S', '1e30', /a number from 1 to 2147483/],
    ['SERVICE_DRIFT_THRESHOLD', '1.1', /a number from 0 to 1/],
    ['SERVICE_UPDATE_THRESHOLD', 'NaN', /a number from -1 to 1/],
    ['SERVICE_ALLOW_ANONYMOUS', 'true', /must be 0 or 1/],
    ['SERVICE_DEBUG_UI', 'yes', /must be 0 or 1/],
    ['SERVICE_SESSION_BACKEND', 'Redis', /one of memory, redis, mongo/],
    ['SERVICE_EMBEDDER', 'openai', /one of auto, transformers, http, lexical/],
    ['SERVICE_LOG_LEVEL', 'verbose', /one of trace, debug, info/],
    ['REDIS_URL', 'localhost:6379', /redis:\/\//],
    ['MONGO_URL', 'localhost', /mongodb:\/\//],
    ['NATS_URL', 'localhost:4222', /nats:\/\//],
    ['SERVICE_UPSTREAM_URL', 'file:///etc/passwd', /https:\/\//],
    ['SERVICE_EMBEDDING_URL', 'http://user:100%@host', /https:\/\//],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:password@host:99999', /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http/],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://[::1', /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be an http/],
    ['SERVICE_ALLOWED_HOSTS', 'a.example, b.example:99999', /names or addresses/],
    ['SERVICE_ALLOWED_HOSTS', '[::::]', /names or addresses/],
    ['REDIS_URL', 'redis://:p%@host', /redis:\/\//],
    ['REDIS_URL', 'redis://host:99999', /redis:\/\//],
    ['DATABASE_URL', 'postgres://host:99999/x', /postgres:\/\//],
    ['METRICS_USER', 'ops\n', /control characters/],
    ['METRICS_PASSWORD', 'secret\r', /control characters/],
    ['CORS_ALLOW_ORIGINS', 'app.example', /origins/],
    ['CORS_ALLOW_ORIGINS', 'https://*.example', /origins/],
    ['CORS_ALLOW_ORIGINS', 'https://a.example, http://b:99999', /origins/]
  ]
  for (const [name, value, expected] of cases) {
    const problems = problemsOf({
      ...keyed,
      SERVICE_CLUSTER_MEMORY: '1',
      SERVICE_STATE_PERSIST: '1',
      DATABASE_URL: 'sqlite:a.db',
      [name]: value
    })
    t.equal(problems.length, 1, `${name}: one problem`)
    t.match(problems[0], expected)
  }
})

t.test('config: several bad values, all named at once', async (t) => {
  const problems = problemsOf({ SERVICE_PORT: 'x', SERVICE_SESSION_SWEEP_S: '-1', SERVICE_SESSION_BACKEND: 'redis' })
  t.match(problems, [/SERVICE_PORT/, /SERVICE_SESSION_SWEEP_S/, /SERVICE_LICENSE_PUBLIC_KEY/, /REDIS_URL/])
})

t.test('config: combinations that cannot work, refused with one sentence', async (t) => {
  const cases: [Environment, RegExp][] = [
    [{ SERVICE_LICENSE_PUBLIC_KEY: '' }, /SERVICE_LICENSE_PUBLIC_KEY is needed/],
    [{ SERVICE_STATE_PERSIST: '1' }, /SERVICE_STATE_PERSIST=1 needs DATABASE_URL/],
    [{ SERVICE_STATE_PERSIST: '1', DATABASE_URL: 'mysql://db' }, /^DATABASE_URL must be/],
    [{ SERVICE_STATE_PERSIST: '1', DATABASE_URL: 'sqlite::memory:' }, /^DATABASE_URL must be/],
    [
      { SERVICE_STATE_PERSIST: '1', DATABASE_URL: 'sqlite:a.db', SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: 'redis://r' },
      /SERVICE_STATE_PERSIST=1 is for SERVICE_SESSION_BACKEND=memory/
    ],
    [{ SERVICE_SESSION_BACKEND: 'redis' }, /needs REDIS_URL/],
    [{ SERVICE_SESSION_BACKEND: 'mongo' }, /needs MONGO_URL/],
    [{ SERVICE_COMPLIANCE: '1' }, /SERVICE_COMPLIANCE=1 needs a durable backend/],
    [{ SERVICE_EMBEDDER: 'http' }, /needs SERVICE_EMBEDDING_URL/],
    [{ SERVICE_WORKERS: '3', SERVICE_MEMORY_LIMIT_MB: '191' }, /^SERVICE_MEMORY_LIMIT_MB is divided among SERVICE_WORKERS/],
    [{ NATS_URL: 'nats://n:4222' }, /SERVICE_CLUSTER_MEMORY=1 accepts/],
    [{ NATS_URL: 'nats://n:4222', SERVICE_STATE_PERSIST: '1', DATABASE_URL: 'sqlite:a.db' }, /a backend they share/]
  ]
  for (const [env, expected] of cases) {
    const problems = problemsOf({ ...keyed, ...env })
    t.equal(problems.length, 1, `${String(expected)}: one problem`)
    t.match(problems[0], expected)
  }
})

t.test('config: combinations that work, typed as the service uses them', async (t) => {
  t.equal(readConfig({ SERVICE_ALLOW_ANONYMOUS: '1' }).auth.allowAnonymous, true)
  t.same(readConfig({ ...keyed, SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: 'redis://r' }).storage, { backend: 'redis', url: 'redis://r' })
  const mongo = { ...keyed, SERVICE_SESSION_BACKEND: 'mongo', MONGO_URL: 'mongodb://m' }
  t.same(readConfig(mongo).storage, { backend: 'mongo', url: 'mongodb://m' })
  const persisted = { ...keyed, SERVICE_STATE_PERSIST: '1', DATABASE_URL: 'sqlite:my data/a.db', SERVICE_COMPLIANCE: '1' }
  t.same(readConfig(persisted).storage, { backend: 'sql', url: 'sqlite:my data/a.db' })
  t.same(readConfig({ ...keyed, METRICS_USER: 'ops', METRICS_PASSWORD: 'pw' }).metrics, { user: 'ops', password: 'pw' })
  const browsers = { ...keyed, CORS_ALLOW_ORIGINS: 'https://a.example, http://b:3000' }
  t.same(readConfig(browsers).http.corsOrigins, ['https://a.example', 'http://b:3000'])
  const spelled = { ...keyed, CORS_ALLOW_ORIGINS: 'https://App.Example:443,https://büro.example' }
  t.same(readConfig(spelled).http.corsOrigins, ['https://app.example', 'https://xn--bro-hoa.example'], 'as browsers write them')
  t.same(readConfig({ ...keyed, CORS_ALLOW_ORIGINS: '*' }).http.corsOrigins, ['*'])
  t.same(readConfig({ ...keyed, SERVICE_UPSTREAM_URL: 'http://m/v1/' }).upstream, { url: 'http://m/v1', apiKey: undefined })
  t.same(readConfig({ ...keyed, NATS_URL: 'nats://n:4222', SERVICE_CLUSTER_MEMORY: '1' }).nodes, { natsUrl: 'nats://n:4222' })
})

t.test('config: the address of traces, under the path of the base and before its query', async (t) => {
  const urlOf = (base: string) => readConfig({ ...keyed, OTEL_EXPORTER_OTLP_ENDPOINT: base }).telemetry?.url
  t.equal(urlOf('http://c:4318'), 'http://c:4318/v1/traces')
  t.equal(urlOf('http://u:p@c:4318/tenant/?key=1'), 'http://u:p@c:4318/tenant/v1/traces?key=1')
})

t.test('config: traces that are turned off, whatever their other settings are', async (t) => {
  const others = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  t.same(readConfig({ ...keyed, ...others, OTEL_SDK_DISABLED: 'true' }), readConfig(keyed))
  t.equal(problemsOf({ ...keyed, ...others, OTEL_SDK_DISABLED: 'false' }).length, 2)
})

t.test('config: a variable that is set and that another one leaves without effect, named with the reason', async (t) => {
  const cases: [Environment, VariableName, RegExp][] = [
    [{ ...keyed, SERVICE_ALLOW_ANONYMOUS: '1' }, 'SERVICE_LICENSE_PUBLIC_KEY', /without a token/],
    [{ DATABASE_URL: 'sqlite:a.db' }, 'DATABASE_URL', /SERVICE_STATE_PERSIST/],
    [{ REDIS_URL: 'redis://r' }, 'REDIS_URL', /SERVICE_SESSION_BACKEND/],
    [{ MONGO_URL: 'mongodb://m' }, 'MONGO_URL', /SERVICE_SESSION_BACKEND/],
    [{ SERVICE_WORKERS: '3' }, 'SERVICE_WORKERS', /at most 2 of the workers/],
    [{ SERVICE_NODE_ID: 'n' }, 'SERVICE_NODE_ID', /NATS_URL/],
    [{ SERVICE_EMBEDDING_API_KEY: 'k' }, 'SERVICE_EMBEDDING_API_KEY', /SERVICE_EMBEDDING_URL/],
    [{ SERVICE_UPSTREAM_API_KEY: 'k' }, 'SERVICE_UPSTREAM_API_KEY', /SERVICE_UPSTREAM_URL/],
    [{ METRICS_USER: 'ops' }, 'METRICS_USER', /METRICS_PASSWORD/],
    [{ METRICS_PASSWORD: 'pw' }, 'METRICS_PASSWORD', /METRICS_USER/],
    [{ SERVICE_DEBUG_TRACE: '1' }, 'SERVICE_DEBUG_TRACE', /SERVICE_DEBUG_UI/]
  ]
  for (const [env, variable, reason] of cases) t.match(readIdleSettings(env, 2), [{ variable, reason }], variable)
  t.same(readIdleSettings({ ...keyed, SERVICE_DEBUG_TRACE: '0', METRICS_USER: '', SERVICE_WORKERS: '2' }, 2), [])
  const stored = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: 'sqlite:a.db', REDIS_URL: 'redis://r', MONGO_URL: 'mongodb://m' }
  t.same(readIdleSettings(stored, 2), [], 'a second address beside a storage in use')
})

t.test('config: DATABASE_URL without SERVICE_STATE_PERSIST=1, not read at all', async (t) => {
  t.same(readConfig({ ...keyed, DATABASE_URL: 'not even an address' }), readConfig(keyed))
})

t.test('config: the storage alone, without what only a service needs', async (t) => {
  const env = {
    SERVICE_STATE_PERSIST: '1',
    DATABASE_URL: 'sqlite:a.db',
    SERVICE_EMBEDDER: 'http',
    SERVICE_WORKERS: '2',
    SERVICE_NODE_ID: 'n'
  }
  t.same(readStorageConfig(env), { backend: 'sql', url: 'sqlite:a.db' })
  t.same(readStorageConfig({}), { backend: 'memory' })
  t.throws(() => readStorageConfig({ SERVICE_STATE_PERSIST: '1' }), /^SERVICE_STATE_PERSIST=1 needs DATABASE_URL/)
  t.throws(() => readStorageConfig({ SERVICE_SESSION_BACKEND: 'redis' }), /REDIS_URL/)
})

t.test('config: one of the two metrics variables starts without metrics', async (t) => {
  t.equal(readConfig({ ...keyed, METRICS_USER: 'ops' }).metrics, undefined)
  t.equal(readConfig({ ...keyed, METRICS_PASSWORD: 'pw' }).metrics, undefined)
})

t.test('config: any value anywhere, taken or refused without repeating it', async () => {
  const value = fc.string({ minLength: 1 }).map((text) => `s3cr3t${text}`)
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), (env) => {
      for (const problem of problemsOf(env)) if (problem.includes('s3cr3t')) return false
      return true
    })
  )
})

t.test('docs: the configuration table, one row a variable as in the schema', async (t) => {
  const table = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8')
  for (const name of names) t.ok(table.includes(tableRow(name)), `missing or stale: ${tableRow(name)}`)
  const documented = [...table.matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map((match) => match[1])
  t.same(documented, names, 'same variables, same order')
})

function tableRow(name: VariableName): string {
  const schema: TSchema = variables.properties[name]
  const initial = schema.default === undefined ? 'none' : `\`${toText(schema.default)}\``
  return `| \`${name}\` | ${initial} | ${allowedValues(name)} | ${schema.description ?? ''} |`
}

/** A default value as a variable of the environment would state it. */
function toText(value: unknown): string {
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}
