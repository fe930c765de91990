/** One connection to one Redis server: the only file that knows the client. It reconnects by itself and never sends a command twice. */
import { Redis } from 'ioredis'
import { codeIn, DomainError, NO_ROOM_LEFT, orRefusal } from '../../domain/errors.js'
import { STORAGE_MS_MAX } from '../../domain/limits.js'
import type { Logger } from '../../ports.js'
import type { Script } from './scripts.js'

/** A reply of Redis: bytes, whole numbers, null, or lists of these. */
export type Reply = Buffer | number | null | readonly Reply[]
type Argument = string | number | Uint8Array

/** Throws `storage_unavailable` for any failure; whether the command was carried out is then unknown. */
export type AskRedis = (command: string, ...args: Argument[]) => Promise<Reply>

export interface RedisConnection {
  readonly call: AskRedis
  run(script: Script, keys: readonly (string | Buffer)[], args: readonly Argument[]): Promise<Reply>
  /** Idempotent. */
  close(): Promise<void>
}

interface RedisConnectionOptions {
  /** `redis://` or, with TLS, `rediss://`. */
  readonly url: string
  readonly logger: Logger
  /** Runs after each connection is made, before anything else is sent. While it fails, all commands are refused with its error. */
  readonly prepare: (ask: AskRedis) => Promise<void>
}

/** Back-off before the first attempt to reconnect, in milliseconds; doubled for each further one. */
const RECONNECT_MS_MIN = 50
const RECONNECT_MS_MAX = 1_000

/** Error codes of a server whose memory is full, or that cannot write its files. */
const FULL: ReadonlySet<string> = new Set(['OOM', 'MISCONF'])

/** Resolves once the server is prepared. Throws `storage_unavailable` when it does not answer, or what `prepare` throws. */
export async function connectRedis({ url, logger, prepare }: RedisConnectionOptions): Promise<RedisConnection> {
  const redis = new Redis(url, {
    lazyConnect: true,
    // Commands of one tick leave together without help, and Redis writes its log once for all that it has read. The client's own pipelining
    // allows one batch in flight: it measured no faster with 64 writers, and one slow reply delays all others.
    protocol: 2,
    connectTimeout: STORAGE_MS_MAX,
    commandTimeout: STORAGE_MS_MAX,
    // A silent connection is dropped: on a half-open one every command would time out for as long as TCP keeps trying.
    socketTimeout: STORAGE_MS_MAX,
    // A command never waits for a connection or a retry. Its caller decides, and a commit sent twice would be fenced.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(RECONNECT_MS_MAX, RECONNECT_MS_MIN * 2 ** Math.min(attempt - 1, 10))
  })
  const { db: database = 0 } = redis.options
  // The client would send it, and end the process over the answer.
  if (!Number.isInteger(database)) throw new DomainError('storage_unavailable', 'The database of Redis is not named by a number')
  watch(redis, logger)
  const send = async (command: string, args: readonly Argument[]): Promise<Reply> => {
    // The client lets some commands, such as INFO, through earlier: a check would succeed before anything else can.
    if (redis.status !== 'ready') throw new Error(redis.status)
    return (await redis.callBuffer(command, ...args.map(toSendable))) as Reply
  }
  const ask: AskRedis = (command, ...args) => orUnavailable(() => send(command, args))
  /** The client goes on in database 0 where the server refuses the one that the address names. */
  const select = async (): Promise<void> => {
    if (database === 0) return
    await orUnavailable(() =>
      send('SELECT', [database]).catch((error: unknown) => {
        throw isReply(error) ? new DomainError('storage_unavailable', 'Redis refuses the database that its address names') : error
      })
    )
  }

  let preparing: Promise<void> | undefined
  redis.on('close', () => (preparing = undefined))
  /** Prepares each connection once; all callers share the result. After a failure the next caller tries again. */
  const prepared = (): Promise<void> => {
    if (preparing !== undefined) return preparing
    const mine = select().then(() => prepare(ask))
    preparing = mine
    mine.catch(() => {
      if (preparing === mine) preparing = undefined
    })
    return mine
  }

  try {
    await orUnavailable(() => connected(redis))
    await prepared()
  } catch (error) {
    redis.disconnect()
    throw error
  }

  let closing: Promise<void> | undefined
  return {
    async call(command, ...args) {
      await prepared()
      return ask(command, ...args)
    },
    async run(script, keys, args) {
      await prepared()
      const rest = [keys.length, ...keys, ...args]
      return orUnavailable(async () => {
        try {
          return await send('EVALSHA', [script.sha1, ...rest])
        } catch (error) {
          if (reasonOf(error) !== 'NOSCRIPT') throw error
        }
        // NOSCRIPT: nothing was carried out. EVAL also loads the script into the server.
        return send('EVAL', [script.source, ...rest])
      })
    },
    close: () => (closing ??= end(redis))
  }
}

/** Connects. On failure the client rejects only with "closed", so the first error that it emitted is thrown instead. */
async function connected(redis: Redis): Promise<void> {
  let reason: unknown
  const note = (error: unknown) => (reason ??= error)
  redis.on('error', note)
  try {
    await redis.connect()
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.off('error', note)
  }
}

/** Logs once when the server is lost and once when it is back. Without a listener an 'error' event would end the process. */
function watch(redis: Redis, logger: Logger): void {
  let isLost = false
  redis.on('error', (error: unknown) => {
    if (!isLost) logger.warn({ reason: reasonOf(error) }, 'Redis is out of reach')
    isLost = true
  })
  redis.on('ready', () => {
    if (isLost) logger.info({}, 'Redis is back')
    isLost = false
  })
}

async function end(redis: Redis): Promise<void> {
  // QUIT waits for the answers to earlier commands. Without a connection there are none.
  await redis.quit().catch(() => undefined)
  redis.disconnect()
}

function toSendable(argument: Argument): string | number | Buffer {
  if (!(argument instanceof Uint8Array)) return argument
  return Buffer.isBuffer(argument) ? argument : Buffer.from(argument.buffer, argument.byteOffset, argument.byteLength)
}

function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  return orRefusal(work, unavailable)
}

function unavailable(error: unknown): DomainError {
  // The client's errors quote the address and the arguments, with the texts in them; neither may reach a log.
  const reason = reasonOf(error)
  return new DomainError('storage_unavailable', FULL.has(reason) ? NO_ROOM_LEFT : 'The storage does not answer', {
    cause: Object.assign(new Error(`Redis: ${reason}`), { code: reason })
  })
}

/** Whether the server answered with an error. */
function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError'
}

/** The code of a network error (`ECONNREFUSED`) or of a Redis error (`READONLY`), else the error's name. */
function reasonOf(error: unknown): string {
  const code = codeIn(error)
  if (code !== undefined) return code
  if (!(error instanceof Error)) return 'unknown'
  // Both end by themselves: a server or a proxy before it that hangs up, and one with as many clients as it takes.
  if (error.message.includes('max number of clients')) return 'CONNECTION_REFUSED'
  if (/connection is closed/i.test(error.message)) return 'CONNECTION_CLOSED'
  if (isReply(error)) return /^[A-Z]+/.exec(error.message)?.[0] ?? error.name
  return /timed? ?out/i.test(error.message) ? 'ETIMEDOUT' : error.name
}
