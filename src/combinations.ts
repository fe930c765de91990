/** Rules between settings: combinations that cannot work, and settings without effect. */
import { MEMORY_LIMIT_MB_MIN, type VariableName, type Variables } from './variables.js'

/** Whether the variable is set. One with an invalid value counts, so that it is reported only once. */
type IsSet = (name: VariableName) => boolean

type Rule = readonly [isBad: boolean, sentence: string]

/** A variable that is set, and why that changes nothing. */
export interface IdleSetting {
  readonly variable: VariableName
  readonly reason: string
}

/** Returns one sentence per combination that cannot work. */
export function badCombinations(values: Partial<Variables>, isSet: IsSet): string[] {
  const backend = values.SERVICE_SESSION_BACKEND
  const isPersisted = values.SERVICE_STATE_PERSIST === true
  const isDurable = backend !== 'memory' || isPersisted
  const isShared = backend !== 'memory' || (isPersisted && !values.DATABASE_URL?.startsWith('sqlite:'))
  const { SERVICE_WORKERS: workers = 1, SERVICE_MEMORY_LIMIT_MB: memoryLimitMb = Infinity } = values
  return sentencesOf([
    [
      !isSet('SERVICE_LICENSE_PUBLIC_KEY') && values.SERVICE_ALLOW_ANONYMOUS === false,
      'SERVICE_LICENSE_PUBLIC_KEY is needed to verify licence tokens; SERVICE_ALLOW_ANONYMOUS=1 would let everybody in without one.'
    ],
    ...storageRules(values, isSet),
    [
      values.SERVICE_COMPLIANCE === true && !isDurable,
      'SERVICE_COMPLIANCE=1 needs a durable backend: SERVICE_SESSION_BACKEND=redis or mongo, or SERVICE_STATE_PERSIST=1.'
    ],
    [values.SERVICE_EMBEDDER === 'http' && !isSet('SERVICE_EMBEDDING_URL'), 'SERVICE_EMBEDDER=http needs SERVICE_EMBEDDING_URL.'],
    [
      isSet('NATS_URL') && !isShared && values.SERVICE_CLUSTER_MEMORY !== true,
      'NATS_URL makes this one of several nodes, which need a backend they share: redis, mongo or postgres; ' +
        'SERVICE_CLUSTER_MEMORY=1 accepts that sessions are lost with their node.'
    ],
    [
      workers > 1 && isSet('NATS_URL') && isSet('SERVICE_NODE_ID'),
      'SERVICE_WORKERS above 1 makes each process a node of its own on NATS_URL, so SERVICE_NODE_ID cannot be the name of all of them.'
    ],
    [
      memoryLimitMb < workers * MEMORY_LIMIT_MB_MIN,
      `SERVICE_MEMORY_LIMIT_MB is divided among SERVICE_WORKERS, and each of them needs ${String(MEMORY_LIMIT_MB_MIN)} at least.`
    ]
  ])
}

/** The same for the storage alone. */
export function badStorageCombinations(values: Partial<Variables>, isSet: IsSet): string[] {
  return sentencesOf(storageRules(values, isSet))
}

function storageRules(values: Partial<Variables>, isSet: IsSet): Rule[] {
  const backend = values.SERVICE_SESSION_BACKEND
  const isPersisted = values.SERVICE_STATE_PERSIST === true
  return [
    [isPersisted && !isSet('DATABASE_URL'), 'SERVICE_STATE_PERSIST=1 needs DATABASE_URL, the database to keep sessions in.'],
    [
      isPersisted && (backend === 'redis' || backend === 'mongo'),
      'SERVICE_STATE_PERSIST=1 is for SERVICE_SESSION_BACKEND=memory: ' +
        'the other backends are durable already, and sessions live in one place.'
    ],
    [backend === 'redis' && !isSet('REDIS_URL'), 'SERVICE_SESSION_BACKEND=redis needs REDIS_URL.'],
    [backend === 'mongo' && !isSet('MONGO_URL'), 'SERVICE_SESSION_BACKEND=mongo needs MONGO_URL.']
  ]
}

function sentencesOf(rules: readonly Rule[]): string[] {
  return rules.filter(([isBad]) => isBad).map(([, sentence]) => sentence)
}

/**
 * Returns the variables that are set although another setting leaves them without effect. Addresses of storages count only where nothing is
 * stored: beside a storage in use, a second address is harmless. `processors`: how many this process may use at once.
 */
export function idleSettings(values: Partial<Variables>, isSet: IsSet, processors: number): IdleSetting[] {
  const keepsNothing = values.SERVICE_SESSION_BACKEND === 'memory' && values.SERVICE_STATE_PERSIST === false
  const reasons: Partial<Record<VariableName, string | false>> = {
    SERVICE_LICENSE_PUBLIC_KEY: values.SERVICE_ALLOW_ANONYMOUS === true && 'SERVICE_ALLOW_ANONYMOUS=1 lets everybody in without a token',
    REDIS_URL: keepsNothing && 'sessions are lost when the process ends, unless SERVICE_SESSION_BACKEND is redis',
    MONGO_URL: keepsNothing && 'sessions are lost when the process ends, unless SERVICE_SESSION_BACKEND is mongo',
    DATABASE_URL: keepsNothing && 'sessions are lost when the process ends, unless SERVICE_STATE_PERSIST is 1',
    SERVICE_WORKERS:
      (values.SERVICE_WORKERS ?? 1) > processors &&
      `at most ${processors} of the workers run at a time here; the others take memory and wait for a processor`,
    SERVICE_NODE_ID: !isSet('NATS_URL') && 'NATS_URL is not set',
    SERVICE_EMBEDDING_API_KEY: !isSet('SERVICE_EMBEDDING_URL') && 'SERVICE_EMBEDDING_URL is not set',
    SERVICE_UPSTREAM_API_KEY: !isSet('SERVICE_UPSTREAM_URL') && 'SERVICE_UPSTREAM_URL is not set',
    METRICS_USER: !isSet('METRICS_PASSWORD') && 'METRICS_PASSWORD is not set, so /metrics answers 503',
    METRICS_PASSWORD: !isSet('METRICS_USER') && 'METRICS_USER is not set, so /metrics answers 503',
    SERVICE_DEBUG_TRACE:
      values.SERVICE_DEBUG_TRACE === true && values.SERVICE_DEBUG_UI === false && 'SERVICE_DEBUG_UI=1 would show its events'
  }
  return (Object.entries(reasons) as [VariableName, string | false][]).flatMap(([variable, reason]) =>
    reason !== false && isSet(variable) ? [{ variable, reason }] : []
  )
}
