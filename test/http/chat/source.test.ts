import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import { bytesOf, type ChatEdit, editChat } from '../../../src/http/chat/source.js'

const MESSAGE = { role: 'system', content: 'context "block"\n]}' }
const edit = (source: string, inserted: ChatEdit['inserted']) =>
  inOneGo(editChat(Buffer.from(source), { dropped: 'session_id', inserted })).toString()
const drop = (source: string) => edit(source, null)
const insert = (source: string, at: number) => edit(source, { at, message: MESSAGE })

t.test('a request edited as text reads like one edited as a value', async (t) => {
  const blank = fc.constantFrom('', ' ', '\n', '\t ', '\r\n  ')
  const spaced = fc
    .tuple(fc.jsonValue({ maxDepth: 3 }), blank)
    .map(([value, space]) => JSON.stringify(value, null, space.replace(/[^ \t]/g, '')))
  const message = fc
    .record({ role: fc.string(), content: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 2 })) })
    .map((value) => JSON.stringify(value))
  const member = fc
    .tuple(fc.oneof(fc.constantFrom('session_id', 'x', '"', '\\', 'a]}', 'messages '), fc.string()), spaced)
    .filter(([name]) => name !== 'messages' && name !== '__proto__')
  fc.assert(
    fc.property(
      fc.array(member, { maxLength: 5 }),
      fc.array(message, { minLength: 1, maxLength: 4 }),
      fc.nat(4),
      fc.nat(5),
      blank,
      (members, messages, at, place, space) => {
        const list = `[${space}${messages.join(`${space},${space}`)}${space}]`
        const texts = members.map(([name, value]) => `${JSON.stringify(name)}${space}:${space}${value}`)
        texts.splice(place, 0, `"messages"${space}:${space}${list}`)
        const source = `${space}{${space}${texts.join(`${space},${space}`)}${space}}${space}`
        const { session_id: _dropped, ...expected } = JSON.parse(source) as { session_id?: unknown; messages: unknown[] }
        t.same(JSON.parse(drop(source)), expected)
        const target = Math.min(at, messages.length)
        expected.messages.splice(target, 0, MESSAGE)
        t.same(JSON.parse(insert(source, target)), expected)
      }
    ),
    { numRuns: 500 }
  )
})

t.test('what is not edited keeps its characters', async (t) => {
  const rest = '"n":12345678901234567890,"e":1.0E+2,"\\u0041":"\\ud83d\\ude00 \\/","x":[ 1 , 2.50 ]'
  t.equal(drop(`{"session_id":"s",${rest}}`), `{${rest}}`)
  t.equal(drop(`{${rest},"session\\u005fid":null}`), `{${rest}}`)
  t.equal(drop(`{"session_id":1,${rest},"session_id":{"a":[2]}}`), `{${rest}}`)
  t.equal(drop(' { } '), '{}')
  const inserted = JSON.stringify(MESSAGE)
  t.equal(insert(`{"messages":[ {"a":1.0}, {"b":2.0} ],${rest}}`, 1), `{"messages":[ {"a":1.0}, ${inserted},{"b":2.0} ],${rest}}`)
  t.equal(insert('{"messages":[{"a":1.0} ]}', 1), `{"messages":[{"a":1.0},${inserted} ]}`)
})

t.test('of messages given twice the list that counts gets the message', async (t) => {
  t.equal(insert('{"messages":[1],"messages":[2]}', 0), `{"messages":[1],"messages":[${JSON.stringify(MESSAGE)},2]}`)
})

t.test('megabytes in one text and ten thousand messages are edited in linear time', async (t) => {
  const messages = Array.from({ length: 10_000 }, () => JSON.stringify({ role: 'user', content: '\\"'.repeat(200) }))
  const source = `{"messages":[${messages.join()}],"x":"${'\\\\'.repeat(2_000_000)}"}`
  // Takes a few tens of milliseconds; code that scanned back for each message or escape would take minutes and hit the time limit.
  t.equal(insert(source, 5_000).length, source.length + JSON.stringify(MESSAGE).length + 1)
})

t.test('long requests are edited and written anew in pieces, however their bytes are divided', async (t) => {
  const long = `${'x\\"'.repeat(400_000)}${'y'.repeat(500_000)}${'\\'.repeat(7)}"${'z'.repeat(100)}\\`
  for (const request of [
    { messages: [{ content: long }] },
    { messages: Array.from({ length: 40_000 }, (_, at) => ({ content: `text ${String(at)}` })) },
    { messages: [1], z: Array.from({ length: 600_000 }, () => 1) }
  ]) {
    const source = Buffer.from(JSON.stringify(request))
    const inserted = { at: request.messages.length, message: MESSAGE }
    let pieces = 0
    const edited = editChat(source, { dropped: 'session_id', inserted })
    let next = edited.next()
    for (; next.done !== true; next = edited.next()) pieces += 1
    t.ok(pieces >= 8, `${String(pieces)} of ${String(source.length)} bytes`)
    t.equal(next.value.toString(), JSON.stringify({ ...request, messages: [...request.messages, MESSAGE] }))
    t.equal(inOneGo(bytesOf(request)).toString(), source.toString())
  }
})

t.test('a request of many members is looked through some at a time', async (t) => {
  const source = JSON.stringify({ messages: [1], ...Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${String(at)}`, at])) })
  const pieces = [...editChat(Buffer.from(source), { dropped: 'session_id', inserted: null })].length
  t.ok(pieces >= 9, `${String(pieces)} pieces`)
})

t.test('what stands between members that are dropped is kept as it stands', async (t) => {
  t.equal(drop('{"session_id":1, "a":1 , "b":2, "session_id":2 ,"c":3 ,"session_id":4}'), '{"a":1 , "b":2,"c":3}')
})
