import t from 'tap'
import type { FieldError } from '../../src/http/problem.js'
import { createRig, type Answer } from '../support/http-rig.js'

const rig = await createRig()
await rig.post('/v1/run', { session_id: 's', message: 'hello' })

/** The findings of a 422, each as `loc: type`; any other status as it is. */
function finding({ status, body }: Answer): string {
  if (status !== 422) return String(status)
  return (body.detail as FieldError[]).map(({ loc, type }) => `${loc.join('.')}: ${type}`).join(', ')
}

t.test('bodies: what is not an object, not JSON, too deep or poisoned is refused; unknown fields are ignored', async (t) => {
  const post = async (payload: string | Buffer) =>
    finding(await rig.call({ method: 'POST', url: '/v1/run', headers: { 'content-type': 'application/json' }, payload }))
  const nested = (depth: number) => `{"session_id":"s","message":"x","extra":${'['.repeat(depth)}${']'.repeat(depth)}}`
  t.equal(await post(''), 'body: missing')
  t.equal(await post('null'), 'body: missing')
  for (const text of ['[]', '5', '"x"', 'true']) t.equal(await post(text), 'body: model_attributes_type', text)
  for (const text of ['{', '{"message":', "{'message':'x'}", 'message=x', '{"message":"x"}}', '\0', '{"message":Infinity}'])
    t.equal(await post(text), 'body: json_invalid', text)
  t.equal(await post(Buffer.from([0x22, 0xff, 0x22])), 'body: json_invalid', 'not UTF-8')
  t.equal(await post(nested(60)), '200')
  t.equal(await post(nested(64)), 'body: json_invalid')
  t.equal(await post(nested(1_000_000)), 'body: json_invalid')
  t.equal(await post('{"session_id":"s","message":"x","__proto__":{"admin":true}}'), 'body: json_invalid')
  t.equal(await post('{"session_id":"s","message":"x","a":[{"constructor":{"prototype":{}}}]}'), 'body: json_invalid')
  t.equal(await post('{"session_id":"s","message":"x","constructor":1,"unknown":{"a":[null]}}'), '200')
  t.equal(await post('\ufeff{"session_id":"s","message":"x"}'), '200', 'a byte order mark is skipped')
})

t.test('bodies: of more lists and objects than their size makes likely, or of an object with too many fields, are refused unparsed', async (t) => {
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
    {}
  ]) {
    for (const payload of ['', '{bad']) {
      await rig.post('/v1/run', { session_id: 'gone', message: 'x' })
      t.equal((await rig.call({ method: 'DELETE', url: '/v1/session/gone', headers, payload })).status, 200)
    }
  }
})
