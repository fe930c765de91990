// Secrets never reach a log, in whatever field of whatever error they arrive: one is planted in all of them.
import t, { type Test } from 'tap'
import { toLogFields, toLogMessage } from '../../../src/http/plugins/log-fields.js'
import { createLogger } from '../../../src/http/plugins/logger.js'
import type { ActorStorage } from '../../../src/ports.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { createRig } from '../../support/http-rig.js'
import { startService } from '../../support/real-service.js'

const SECRET = 'the key lies under the mat'
const ADDRESS = 'postgres://engram:hunter2@db:5432/engram'

/** An error as drivers create it: the statement, its values and the row in fields of their own, the message in the stack. */
function foreignError(): Error {
  const inner = new TypeError(`inner: ${SECRET}`)
  const error = new AggregateError([inner, new Error(ADDRESS)], `insert failed: ${SECRET} at ${ADDRESS}\n    at ${SECRET} (file:1:2)`, {
    cause: { text: SECRET }
  })
  error.name = `PgError ${SECRET}`
  Object.assign(inner, { cause: new Error(SECRET, { cause: foreignCause() }) })
  return Object.assign(error, {
    code: '23505',
    detail: `Key (text)=(${SECRET})`,
    query: SECRET,
    parameters: [SECRET],
    hint: SECRET,
    request: { body: SECRET },
    vector: new Float32Array([0.123456])
  })
}

function foreignCause(): Error {
  const cause = new Error('late')
  cause.message = SECRET
  return Object.assign(cause, { code: SECRET })
}

function isClean(t: Test, lines: readonly string[], name: string): void {
  const log = lines.join('')
  t.notMatch(log, /under the mat|hunter2|0\.123456/, name)
  for (const line of lines) t.type(JSON.parse(line), 'object', `${name}: a line is JSON`)
}

t.test('an error in a log: its name, code and frames, and those of what is behind it', async (t) => {
  const lines: string[] = []
  const logger = createLogger({ level: 'trace', destination: { write: (line) => void lines.push(line) } })
  const error = foreignError()
  const circular: Record<string, unknown> = { error }
  circular['self'] = circular
  const child = logger.child({ reqId: 'r' })
  for (const fields of [
    error,
    { err: error },
    { error },
    { nested: { deep: [error] } },
    { reason: error },
    circular,
    new Map([[SECRET, error]]),
    { request: new Request('http://x', { headers: { a: SECRET } }) }
  ]) {
    for (const log of [logger, child]) {
      log.error(fields)
      log.warn(fields, 'A message')
      log.error(fields, 'A message with %s', SECRET)
    }
  }
  for (const name of ['text', 'message', 'token', 'Authorization', 'headers', 'body', 'embedding', 'stack', 'x-api-key']) {
    logger.info({ [name]: SECRET, a: { b: { c: { [name]: SECRET } } }, list: [{ [name]: SECRET }] }, 'Fields')
  }
  logger.info(
    { url: ADDRESS, values: [0.123456, 1], list: [[0.123456]], bytes: Buffer.from(SECRET), typed: new Float32Array([0.123456]) },
    `Connected to ${ADDRESS}`
  )
  logger.warn('eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhbm5hIn0.c2ln is no token')
  isClean(t, lines, 'all')
  t.notMatch(lines.join(''), /eyJhbGci/)
  const [first = '{}'] = lines
  t.match(JSON.parse(first), {
    level: 50,
    err: {
      name: 'Error',
      code: '23505',
      frames: [/^ {4}at .*log-fields\.test\.[jt]s:\d+/],
      errors: [{ name: 'TypeError', cause: { cause: { name: 'Error' } } }, { name: 'Error' }]
    }
  })
  t.match(lines.at(-3), /"url":"postgres:\/\/\[redacted\]@db:5432\/engram"|"a":/, 'an address without its credentials')
})

t.test('a handler that fails: the log has where, and nothing of what it said', async (t) => {
  const rig = await createRig({ intercept: () => foreignError() })
  t.match(await rig.post('/v1/run', { session_id: 's', message: SECRET }), { status: 500, body: { detail: 'Internal server error' } })
  t.match(rig.logs.join(''), '"msg":"request failed"')
  t.match(rig.logs.join(''), /log-fields\.test\.[jt]s:\d+/, 'the frames are there')
  isClean(t, rig.logs, 'handler')
})

t.test('a storage that fails under an actor: nothing of it in the log or the answer', async (t) => {
  const memory = createMemoryStorage({ retains: false })
  let isBroken = false
  const storage = new Proxy(memory, {
    get(target, name: keyof ActorStorage) {
      const value = target[name]
      return typeof value === 'function' && name !== 'close'
        ? (...args: unknown[]) =>
            isBroken ? Promise.reject(foreignError()) : (value as (...args: unknown[]) => unknown).apply(target, args)
        : value
    }
  })
  const { as, logs } = await startService(t, { overrides: { storage }, env: { SERVICE_LOG_LEVEL: 'trace' } })
  const alice = await as('alice')
  await alice.post('/v1/run', { session_id: 's', message: 'Where is the key?' })
  isBroken = true
  for (const [method, url, body] of [
    ['POST', '/v1/run', { session_id: 's', message: SECRET }],
    ['POST', '/v1/run', { session_id: 'new', message: SECRET }],
    ['DELETE', '/v1/session/s', undefined],
    ['POST', '/v1/cluster/', { name: SECRET }],
    ['GET', '/v1/sessions', undefined]
  ] as const) {
    const { status, body: answer } = await alice.call({ method, url, ...(body !== undefined && { payload: body }) })
    t.ok(status >= 400, `${method} ${url}: ${status}`)
    t.notMatch(JSON.stringify(answer), /under the mat|hunter2/)
  }
  t.ok(logs.length > 0)
  isClean(t, logs, 'storage')
})

t.test('what lets somebody in, and what somebody said, is written under none of its names', async (t) => {
  const names = [
    ...['authorization', 'token', 'ticket', 'license', 'password', 'secret', 'apikey', 'api_key', 'x-api-key', 'cookie', 'set-cookie'],
    ...['headers', 'text', 'texts', 'message', 'messages', 'response', 'context', 'embedding', 'embeddings', 'vector', 'vectors', 'body'],
    ...['query', 'detail', 'parameters', 'params', 'stack', 'cause', 'input', 'data']
  ]
  for (const name of names)
    for (const written of [name, name.toUpperCase()])
      t.same(toLogFields({ [written]: SECRET, kind: 'session', inner: { [written]: 7 } }), {
        [written]: '[redacted]',
        kind: 'session',
        inner: { [written]: '[redacted]' }
      })
})

t.test('tokens are taken out of a message wherever they stand, and words that only have their letters stay', async (t) => {
  const token = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhbm5hIn0.c2ln'
  t.equal(toLogMessage(`refused: Bearer ${token}, again`), 'refused: Bearer [redacted], again')
  t.equal(toLogMessage(`"${token}"`), '"[redacted]"')
  t.equal(toLogMessage('monkeyJam.jar is missing'), 'monkeyJam.jar is missing')
  t.equal(toLogMessage(`lost ${ADDRESS}, again`), 'lost postgres://[redacted]@db:5432/engram, again', 'nor what an address lets in with')
})

t.test('an error whose message was changed shows nothing of the one that it had, though that looks like a frame', async (t) => {
  const error = new Error(`${SECRET}    at somewhere (file.js:1:2)`)
  t.match(error.stack, SECRET, 'it is in what was written down when it arose')
  error.message = 'another one'
  t.notMatch(JSON.stringify(toLogFields(error)), SECRET)
})

t.test('of a stack the frames are told in each form that V8 gives them, and nothing that only resembles them', async (t) => {
  const frames = ['    at one (file:///a.js:1:2)', '    at file:///b.js:3:4', '    at three (<anonymous>)', '    at four (native)']
  const others = ['   at five (a.js:1:2)', `    at six ${SECRET}`, `    at seven (a.js:1:2) ${SECRET}`, `${SECRET}    at eight (a.js:1:2)`]
  const error = Object.assign(new Error('x'), { stack: ['Error: x', ...frames, ...others].join('\n') })
  t.match(toLogFields(error), { err: { frames } })
  t.notMatch(JSON.stringify(toLogFields(error)), SECRET)
  const deep = Object.assign(new Error(''), { stack: Array.from({ length: 40 }, () => frames[0]).join('\n') })
  t.match(toLogFields(deep), { err: { frames: { length: 32 } } })
})

t.test('of errors behind errors the first five are told', async (t) => {
  const chain = Array.from({ length: 10 }).reduce<Error | undefined>((cause) => new Error('inner', { cause }), undefined)
  const names = JSON.stringify(toLogFields({ failure: chain })).match(/"name"/g)
  t.equal(names?.length, 6)
})
