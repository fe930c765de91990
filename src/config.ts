/** Reads all settings once, at start. The only file that knows the environment. */
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { badCombinations, badStorageCombinations, idleSettings, type IdleSetting } from './combinations.js'
import { allowedValues, listOf, type VariableName, variables, type Variables } from './variables.js'

/** Environment variables of a process. An empty string counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where sessions are kept. Only `memory` is not durable. */
export type StorageConfig = { readonly backend: 'memory' } | DurableStorageConfig

export interface DurableStorageConfig {
  readonly backend: 'sql' | 'redis' | 'mongo'
  readonly url: string
}

const MIB = 1024 * 1024

/** The settings as the service uses them. Read once, at start; never change afterwards. */
export type Config = ReturnType<typeof toConfig>

interface Endpoint {
  /** Without a trailing slash. */
  readonly url: string
  readonly apiKey: string | undefined
}

/**
 * The service cannot start as configured. The message has one sentence per problem and never a value, because a misplaced secret would end
 * up in a log.
 */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** The environment of this process. */
export function processEnvironment(): Environment {
  return process.env
}

/** Reads all settings. Throws ConfigError with every problem, not only the first. */
export function readConfig(env: Environment): Config {
  const { values, problems } = readVariables(env)
  problems.push(...badCombinations(values, (name) => isSet(env[name])))
  if (problems.length > 0) throw new ConfigError(problems)
  return toConfig(values as Variables)
}

/** Variables of a valid environment that are set and have no effect beside the others, or with this many processors. */
export function readIdleSettings(env: Environment, processors: number): readonly IdleSetting[] {
  return idleSettings(readVariables(env).values, (name) => isSet(env[name]), processors)
}

/** Reads one setting, or its default, for a program that needs no other. Throws ConfigError. */
export function readSetting<Name extends VariableName>(env: Environment, name: Name): Variables[Name] {
  const { value, problem } = readVariable(env, name)
  if (problem !== undefined) throw new ConfigError([problem])
  return value as Variables[Name]
}

/** Reads the storage's settings alone, for programs that serve no requests. Throws ConfigError. */
export function readStorageConfig(env: Environment): StorageConfig {
  const { values, problems } = readVariables(env)
  problems.push(...badStorageCombinations(values, (name) => isSet(env[name])))
  if (problems.length > 0) throw new ConfigError(problems)
  return toStorage(values as Variables)
}

function readVariables(env: Environment): { values: Partial<Variables>; problems: string[] } {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const name of Object.keys(variables.properties) as VariableName[]) {
    if (!isRead(name, env)) continue
    const { value, problem } = readVariable(env, name)
    if (problem !== undefined) problems.push(problem)
    else if (value !== undefined) values[name] = value
  }
  return { values, problems }
}

/** Whether the variable is read at all beside the others. What is not read may hold anything. */
function isRead(name: VariableName, env: Environment): boolean {
  // Interface, Limits: DATABASE_URL is read only when SERVICE_STATE_PERSIST=1.
  if (name === 'DATABASE_URL') return env['SERVICE_STATE_PERSIST'] === '1'
  // Settings for all programs of an operator may name what others need, such as the protocol `grpc`.
  return !name.startsWith('OTEL_EXPORTER_') || env['OTEL_SDK_DISABLED'] !== 'true'
}

/** Returns neither field for a variable that is not set and has no default. */
function readVariable(env: Environment, name: VariableName): { readonly value?: unknown; readonly problem?: string } {
  const text = env[name]
  const schema: TSchema = variables.properties[name]
  const value: unknown = isSet(text) ? parsed(text, schema) : schema.default
  if (value === undefined && !isSet(text)) return {}
  return Value.Check(schema, value) ? { value } : { problem: `${name} must be ${allowedValues(name)}.` }
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}

/** Whether `text` is a valid value of the variable. Used for command line options that stand for one. */
export function isTaken(name: VariableName, text: string): boolean {
  const schema: TSchema = variables.properties[name]
  return Value.Check(schema, parsed(text, schema))
}

/** Returns undefined when the text is not of the schema's type. Plain decimals only: `1e3` and `0x10` are more likely slips than meant. */
function parsed(text: string, schema: TSchema): unknown {
  if (schema['type'] === 'boolean') return text === '1' ? true : text === '0' ? false : undefined
  if (schema['type'] === 'integer' || schema['type'] === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
  return text
}

/** See `variables` for units, ranges and defaults. */
function toConfig(values: Variables) {
  return {
    http: {
      host: values.SERVICE_HOST,
      port: values.SERVICE_PORT,
      bodyLimitBytes: values.SERVICE_BODY_LIMIT_BYTES,
      /** Limit for a body that holds an export. */
      importLimitBytes: Math.max(values.SERVICE_BODY_LIMIT_BYTES, values.SERVICE_IMPORT_LIMIT_BYTES),
      rateLimitPerMinute: values.SERVICE_RATE_LIMIT_PER_MINUTE,
      /** Empty: no cross-origin headers. `*` alone: any origin. */
      corsOrigins: toOrigins(values.CORS_ALLOW_ORIGINS),
      /** Host names that it answers to besides its own, each for one port or for any. */
      allowedHosts: listOf(values.SERVICE_ALLOWED_HOSTS)
    },
    auth: { licensePublicKey: values.SERVICE_LICENSE_PUBLIC_KEY, allowAnonymous: values.SERVICE_ALLOW_ANONYMOUS },
    // Interface, Errors: 503 when either is not configured, so one of the two alone is no reason to refuse the start.
    metrics:
      values.METRICS_USER === undefined || values.METRICS_PASSWORD === undefined
        ? undefined
        : { user: values.METRICS_USER, password: values.METRICS_PASSWORD },
    storage: toStorage(values),
    sessions: {
      activeMax: values.SERVICE_MAX_SESSIONS,
      idleTtlS: values.SERVICE_SESSION_IDLE_TTL_S,
      sweepS: values.SERVICE_SESSION_SWEEP_S,
      memoriesMax: values.SERVICE_MAX_MEMORIES,
      bytesMax: values.SERVICE_MAX_SESSION_BYTES,
      driftThreshold: values.SERVICE_DRIFT_THRESHOLD,
      updateThreshold: values.SERVICE_UPDATE_THRESHOLD,
      contextTokensMax: values.SERVICE_CONTEXT_TOKENS
    },
    /** Limits of each licence subject. */
    subjects: {
      concurrency: values.SERVICE_SUBJECT_CONCURRENCY,
      sessionsMax: values.SERVICE_MAX_SESSIONS_PER_SUBJECT,
      bytesMax: values.SERVICE_MAX_BYTES_PER_SUBJECT
    },
    embedder: {
      kind: values.SERVICE_EMBEDDER,
      modelDir: values.SERVICE_MODEL_DIR,
      /** Set when `kind` is `http`. */
      endpoint: toEndpoint(values.SERVICE_EMBEDDING_URL, values.SERVICE_EMBEDDING_API_KEY)
    },
    /** Undefined: the chat proxy answers 503. */
    upstream: toEndpoint(values.SERVICE_UPSTREAM_URL, values.SERVICE_UPSTREAM_API_KEY),
    /** Undefined: a single node. */
    nodes: values.NATS_URL === undefined ? undefined : { natsUrl: values.NATS_URL, nodeId: values.SERVICE_NODE_ID },
    workers: values.SERVICE_WORKERS,
    debug: { ui: values.SERVICE_DEBUG_UI, trace: values.SERVICE_DEBUG_TRACE, ringMax: values.SERVICE_DEBUG_RING },
    compliance: values.SERVICE_COMPLIANCE,
    mcp: values.SERVICE_MCP,
    /** Undefined: derived from the machine. */
    memoryLimitBytes: values.SERVICE_MEMORY_LIMIT_MB === undefined ? undefined : values.SERVICE_MEMORY_LIMIT_MB * MIB,
    telemetry: toTelemetry(values),
    logLevel: values.SERVICE_LOG_LEVEL
  } as const
}

/** OpenTelemetry, OTLP exporter: `/v1/traces` is appended to the base endpoint; the traces endpoint is used as it is. */
function toTelemetry(values: Variables) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_PROTOCOL: protocol, OTEL_SDK_DISABLED: disabled } = values
  const url = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base === undefined ? undefined : tracesUnder(base))
  return url === undefined || disabled === 'true' ? undefined : { url, protocol }
}

/** Appends to the path; a query string is kept behind it. */
function tracesUnder(base: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/v1/traces`
  return url.href
}

/** Origins as browsers write them: in lower case, without the default port. */
function toOrigins(text: string | undefined): readonly string[] {
  return text === '*' ? ['*'] : listOf(text).map((origin) => new URL(origin).origin)
}

/** Called after validation, so the address of the chosen backend is set. */
function toStorage(values: Variables): StorageConfig {
  if (values.SERVICE_SESSION_BACKEND === 'redis') return { backend: 'redis', url: values.REDIS_URL ?? '' }
  if (values.SERVICE_SESSION_BACKEND === 'mongo') return { backend: 'mongo', url: values.MONGO_URL ?? '' }
  return values.SERVICE_STATE_PERSIST ? { backend: 'sql', url: values.DATABASE_URL ?? '' } : { backend: 'memory' }
}

function toEndpoint(url: string | undefined, apiKey: string | undefined): Endpoint | undefined {
  return url === undefined ? undefined : { url: url.replace(/(?<!\/)\/+$/, ''), apiKey }
}
