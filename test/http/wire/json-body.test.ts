import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import type { FieldError } from '../../../src/http/contract/problem.js'
import { type Answer, createRig } from '../../support/http-rig.js'

const rig = await createRig()
await rig.post('/v1/run', { session_id: 's', message: 'hello' })

/** The findings of a 422, each as `loc: type`; any other status as it is. */
function finding({ status, body }: Answer): string {
  if (status !== 422) return String(status)
  return (body.detail as FieldError[]).map(({ loc, type }) => `${loc.join('.')}: ${type}`).join(', ')
}

t.test('bodies: what is not an object, not JSON or too deep is refused; unknown fields are ignored, whatever their names', async (t) => {
  const post = async (payload: string | Buffer) =>
    finding(await rig.call({ method: 'POST', url: '/v1/run', headers: { 'content-type': 'application/json' }, payload }))
  const nested = (depth: number) => `{"session_id":"s","message":"x","extra":${'['.repeat(depth)}${']'.repeat(depth)}}`
  t.equal(await post(''), 'body: missing')
  t.equal(await post('null'), 'body: missing')
  for (const text of ['[]', '5', '"x"', 'true']) t.equal(await post(text), 'body: model_attributes_type', text)
  for (const text of ['{', '{"message":', "{'message':'x'}", 'message=x', '{"message":"x"}}', '\0', '{"message":infinity}'])
    t.equal(await post(text), 'body: json_invalid', text)
  t.equal(await post(Buffer.from([0x22, 0xff, 0x22])), 'body: json_invalid', 'not UTF-8')
  t.equal(await post(nested(60)), '200')
  t.equal(await post(nested(64)), 'body: json_invalid')
  t.equal(await post(nested(1_000_000)), 'body: json_invalid')
  for (const extra of [
    '"__proto__":{"admin":true}',
    '"zz":{"__proto__":1}',
    '"constructor":{"prototype":1}',
    '"a":[{"constructor":{"prototype":{"admin":true}}}]'
  ]) {
    t.equal(await post(`{"session_id":"s","message":"x",${extra}}`), '200', extra)
    t.notOk('admin' in {}, 'nothing is polluted')
  }
  t.equal(await post('{"__proto__":{"session_id":"s","message":"x"}}'), 'body.message: missing', 'no field comes in that way')
  t.equal(await post('{"session_id":"s","message":"x","constructor":1,"unknown":{"a":[null]}}'), '200')
  t.equal(await post('\ufeff{"session_id":"s","message":"x"}'), '200', 'a byte order mark is skipped')
})

t.test(
  'bodies of more lists and objects than their size makes likely, or of an object with too many fields, are refused unparsed',
  async (t) => {
    const post = async (extra: string) => {
      const payload = `{"session_id":"s","message":"a text [like] {this}: \\"[[\\\\","extra":${extra}}`
      const { status, body } = await rig.call({ method: 'POST', url: '/v1/run', headers: { 'content-type': 'application/json' }, payload })
      return status === 422 ? (body.detail as FieldError[])[0]?.msg : status
    }
    const lists = (count: number, item: string) => `[${Array.from({ length: count }, () => item).join(',')}]`
    const fields = (count: number, name = 'k') => `{${Array.from({ length: count }, (_, at) => `"${name}${String(at)}":1`).join(',')}}`
    t.equal(await post(lists(9_000, '[]')), 200)
    t.match(await post(lists(12_000, '{}')), /more than 10000 lists and objects/)
    t.equal(await post(lists(12_000, `{"a":"${'x'.repeat(40)}"}`)), 200, 'longer ones may be more')
    t.equal(await post(lists(12_000, '"[{"')), 200, 'those in texts are none')
    t.equal(await post(fields(10_000)), 200)
    t.match(await post(fields(10_001)), /an object of more than 10000 fields/)
    t.equal(await post(`[${fields(9_000)},${fields(9_000)}]`), 200, 'counted for each object')
    t.equal(await post(fields(1, ':'.repeat(20_000))), 200, 'colons in names are none')
  }
)

t.test('bodies: long ones are read in turns of their subject; short ones at once', async (t) => {
  const taken: { subject: string; pieces: number }[] = []
  const rig = await createRig({
    async takePieces(subject, work) {
      const entry = { subject, pieces: 1 }
      taken.push(entry)
      for (let next = work.next(); ; next = work.next()) {
        if (next.done === true) return next.value
        entry.pieces++
      }
    }
  })
  const objects = Array.from({ length: 200 }, (_, at) =>
    Object.fromEntries(Array.from({ length: 99 }, (_, field) => [`n${at * 99 + field}`, 1]))
  )
  t.equal((await rig.post('/v1/run', { session_id: 's', message: 'short' })).status, 200)
  t.same(taken, [])
  t.equal((await rig.post('/v1/run', { session_id: 's', message: 'long', extra: objects })).status, 200)
  t.equal(taken[0]?.subject, 'alice')
  t.ok((taken[0]?.pieces ?? 0) > 10, `${taken[0]?.pieces} pieces`)
  t.equal(finding(await rig.post('/v1/run', `${JSON.stringify({ extra: objects })}}`)), 'body: json_invalid')
  t.equal(taken.length, 2)
})

t.test('bodies of a client that has gone are read no further', async (t) => {
  const events = new EventEmitter()
  const rig = await createRig({
    async takePieces(_subject, work) {
      work.next()
      const gone = once(accepted, 'close')
      client.destroy()
      await gone
      try {
        return inOneGo(work)
      } catch (error) {
        events.emit('ended', error)
        throw error
      }
    }
  })
  t.teardown(() => rig.app.close())
  await rig.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = rig.app.server.address() as AddressInfo
  const accepting = once(rig.app.server, 'connection')
  const client = connect(port, '127.0.0.1')
  const [accepted] = (await accepting) as [Socket]
  const body = JSON.stringify({ session_id: 's', message: 'x'.repeat(100_000) })
  const headers = `host: localhost\r\nauthorization: Bearer ${await rig.token('alice')}\r\ncontent-type: application/json`
  const ended = once(events, 'ended')
  client.write(`POST /v1/run HTTP/1.1\r\n${headers}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  t.match(await ended, [{ status: 400 }])
  t.same(rig.asked, [])
})

t.test('validation: never more than 16 findings', async (t) => {
  const { body } = await rig.post('/v1/session/create', { policy_vectors: Array.from({ length: 500 }, () => 5) })
  t.equal((body.detail as FieldError[]).length, 16)
})

t.test('requests without a body where none is needed: work whatever their content type says', async (t) => {
  for (const headers of [
    { 'content-type': 'application/json' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'nonsense/type' },
    { 'content-type': 'application/json, text/plain' },
    {}
  ]) {
    for (const payload of ['', '{bad']) {
      await rig.post('/v1/run', { session_id: 'gone', message: 'x' })
      t.equal((await rig.call({ method: 'DELETE', url: '/v1/session/gone', headers, payload })).status, 200)
    }
  }
})

t.test('bodies that are empty: are none, whatever type a library names for them', async (t) => {
  const post = (url: string, type: string) => rig.call({ method: 'POST', url, headers: { 'content-type': type }, payload: '' })
  for (const type of ['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', 'application/octet-stream']) {
    t.equal((await post('/v1/session/create', type)).status, 200, type)
    t.equal(finding(await post('/v1/run', type)), 'body: missing', type)
  }
})

t.test('bodies under a content coding: are refused with the coding that is known, where a body is read', async (t) => {
  const post = (url: string, coding: string) =>
    rig.call({
      ...{ method: 'POST', url, payload: '{"session_id":"s","message":"x"}' },
      headers: { 'content-type': 'application/json', 'content-encoding': coding }
    })
  for (const coding of ['gzip', 'br', 'GZIP, identity', 'x-unknown']) {
    const refused = { status: 415, headers: { 'accept-encoding': 'identity' }, body: { detail: /content encoding/ } }
    t.match(await post('/v1/run', coding), refused, coding)
  }
  for (const coding of ['identity', 'Identity', '']) t.equal((await post('/v1/run', coding)).status, 200, coding)
  t.equal((await post('/v1/session/s/trigger', 'gzip')).status, 415)
  const cleared = await rig.call({ method: 'DELETE', url: '/v1/session/s/trigger', headers: { 'content-encoding': 'gzip' }, payload: '{' })
  t.equal(cleared.status, 200, 'where none is, it does not matter')
})
