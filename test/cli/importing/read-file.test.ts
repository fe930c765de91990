import { join } from 'node:path'
import t from 'tap'
import { type ImportedItem, type ImportFormat, toTime } from '../../../src/cli/importing/formats.js'
import { readImport } from '../../../src/cli/importing/read-file.js'
import { sessionOfFile, toSessionId } from '../../../src/cli/importing/session-name.js'

async function read(t: { testdir(files: Record<string, string>): string }, name: string, text: string, format?: ImportFormat) {
  const folder = t.testdir({ [name]: text })
  const items: ImportedItem[] = []
  for await (const item of readImport(join(folder, name), format)) items.push(item)
  return items
}

t.test('mem0: results, platform memories and plain lists give the same facts', async (t) => {
  const memory = { id: '1', memory: 'Likes tea', user_id: 'ann', created_at: '2024-07-26T08:40:20.624204-07:00', updated_at: null }
  const expected = [{ conversation: 'ann', role: 'synthetic', text: 'Likes tea', userId: 'ann', timestamp: 1_722_008_420.624 }]
  for (const whole of [{ results: [memory] }, { memories: [memory] }, [memory]]) {
    t.strictSame(await read(t, 'mem0.json', JSON.stringify(whole)), expected)
  }
  t.match(await read(t, 'mem0.json', JSON.stringify([{ ...memory, run_id: 'r1' }, { id: '2' }]), 'mem0'), [
    { conversation: 'r1' },
    { skipped: 'no text' }
  ])
})

t.test('LangChain: stored messages of JavaScript and Python, alone, by session and in lines', async (t) => {
  const stored = [
    { type: 'system', data: { content: 'Be brief' } },
    { type: 'human', data: { content: 'Hello', additional_kwargs: {} } },
    { type: 'ai', data: { content: [{ type: 'text', text: 'Good' }, { type: 'image_url' }, { type: 'text', text: 'day' }] } },
    { type: 'ai', data: { content: '', tool_calls: [{}] } },
    { type: 'chat', data: { role: 'user', content: 'Bye' } }
  ]
  const expected = (conversation: string | null) => [
    { skipped: 'system or tool message' },
    { conversation, userId: null, role: 'user', text: 'Hello', timestamp: null },
    { conversation, userId: null, role: 'assistant', text: 'Good\nday', timestamp: null },
    { skipped: 'no text' },
    { conversation, userId: null, role: 'user', text: 'Bye', timestamp: null }
  ]
  t.strictSame(await read(t, 'h.json', JSON.stringify(stored)), expected(null))
  t.strictSame(await read(t, 'h.json', JSON.stringify({ s1: stored })), expected('s1'))
  const lines = stored.map((message) => JSON.stringify({ session_id: 's2', message }))
  t.strictSame(await read(t, 'h.jsonl', lines.join('\n')), expected('s2'))
})

t.test('Redis: long-term memories with the role of messages, and working memory with its messages and facts', async (t) => {
  const fact = {
    id: '1',
    text: 'Prefers tea',
    memory_type: 'semantic',
    session_id: null,
    user_id: 'ann',
    created_at: '2023-11-14T22:13:20Z'
  }
  const said = (text: string) => ({ ...fact, text, memory_type: 'message', session_id: 's1', user_id: null })
  const found = { memories: [fact, said('user: Hello: there'), said('system: Be brief'), said('No role')], total: 4, next_offset: null }
  const at = 1_700_000_000
  t.strictSame(await read(t, 'found.json', JSON.stringify(found)), [
    { conversation: 'ann', role: 'synthetic', text: 'Prefers tea', userId: 'ann', timestamp: at },
    { conversation: 's1', role: 'user', text: 'Hello: there', userId: null, timestamp: at },
    { skipped: 'system or tool message' },
    { conversation: 's1', role: 'synthetic', text: 'No role', userId: null, timestamp: at }
  ])
  const messages = [{ role: 'assistant', content: 'Good day', id: '2', created_at: '2023-11-14T22:13:20Z' }]
  const working = { messages, memories: [{ ...fact, user_id: null }], session_id: 's2', user_id: 'ben', context: null }
  for (const format of [undefined, 'redis'] as const) {
    t.strictSame(await read(t, 'working.json', JSON.stringify(working), format), [
      { conversation: 's2', role: 'assistant', text: 'Good day', userId: 'ben', timestamp: at },
      { conversation: 's2', role: 'synthetic', text: 'Prefers tea', userId: 'ben', timestamp: at }
    ])
    const empty = JSON.stringify({ ...working, memories: [] })
    t.equal((await read(t, 'working.json', empty, format)).length, 1, 'messages without facts')
  }
})

t.test('Zep: facts that hold, as a list, as a search found them and in camel case, and messages by the type of their role', async (t) => {
  const edge = {
    uuid: '1',
    name: 'LIKES',
    fact: 'Ann likes tea',
    source_node_uuid: 'a',
    target_node_uuid: 'b',
    created_at: '2023-11-14T22:13:20Z'
  }
  const ended = { ...edge, invalid_at: '2024-01-01T00:00:00Z' }
  const camel = { fact: 'Ann likes tea', sourceNodeUuid: 'a', createdAt: '2023-11-14T22:13:20Z', invalidAt: undefined }
  const expected = { conversation: null, userId: null, role: 'synthetic', text: 'Ann likes tea', timestamp: 1_700_000_000 }
  const left = { skipped: 'fact that no longer holds' }
  t.strictSame(await read(t, 'f.json', JSON.stringify([edge, ended, { ...edge, expired_at: '2024-01-01T00:00:00Z' }])), [
    expected,
    left,
    left
  ])
  t.strictSame(await read(t, 'f.json', JSON.stringify({ edges: [edge], nodes: [], episodes: [] })), [expected])
  t.strictSame(await read(t, 'f.json', JSON.stringify([camel]), 'zep'), [expected])
  const thread = {
    messages: [
      { content: 'Hello', role: 'Ann Smith', role_type: 'user', created_at: '2023-11-14T22:13:20Z' },
      { content: 'Good day', role: 'assistant', name: 'Helper', createdAt: '2023-11-14T22:13:20Z' }
    ],
    user_id: 'ann',
    row_count: 2
  }
  t.match(await read(t, 't.json', JSON.stringify(thread), 'zep'), [
    { role: 'user', text: 'Hello', userId: 'ann', timestamp: 1_700_000_000 },
    { role: 'assistant', text: 'Good day', userId: 'ann', timestamp: 1_700_000_000 }
  ])
})

t.test('JSONL chats: a message a line, or a conversation a line, with the times that are there', async (t) => {
  const lines = [
    { session_id: 'a', role: 'user', content: 'One', timestamp: 1_700_000_000 },
    { conversation_id: 7, role: 'assistant', text: 'Two', created_at: '2023-11-14T22:13:20Z', user_id: 'ann' },
    {
      messages: [
        { role: 'user', content: 'Three' },
        { role: 'tool', content: '{}' }
      ]
    }
  ]
  t.strictSame(await read(t, 'chat.jsonl', `${lines.map((line) => JSON.stringify(line)).join('\r\n')}\n\n`), [
    { conversation: 'a', userId: null, role: 'user', text: 'One', timestamp: 1_700_000_000 },
    { conversation: '7', userId: 'ann', role: 'assistant', text: 'Two', timestamp: 1_700_000_000 },
    { conversation: 'line-3', userId: null, role: 'user', text: 'Three', timestamp: null },
    { skipped: 'system or tool message' }
  ])
})

t.test('files that are none of it are refused with the place', async (t) => {
  await t.rejects(read(t, 'x.jsonl', '{"role":"user","content":"a"}\n{'), { name: 'CommandFailure', message: 'Line 2 is no JSON.' })
  await t.rejects(read(t, 'x.json', '{"a": 1}'), { message: /no export of mem0, Redis or Zep, no message history/ })
  await t.rejects(read(t, 'x.json', '[{"a": 1}]'), { message: /--format says what it should be/ })
  await t.rejects(read(t, 'x.json', '7'), { message: /neither an object nor a list/ })
})

t.test('times: seconds, milliseconds and dates; anything else is none', async (t) => {
  t.strictSame([1_700_000_000, 1_700_000_000_000, '1700000000', '2023-11-14T22:13:20Z', 'soon', null].map(toTime), [
    1_700_000_000,
    1_700_000_000,
    1_700_000_000,
    1_700_000_000,
    null,
    null
  ])
})

t.test('names of conversations become ids of sessions, and no two the same one', async (t) => {
  t.equal(toSessionId('anna_1-x'), 'anna_1-x')
  const ids = ['a b', 'a/b', 'ä'.repeat(300), 'x'.repeat(200)].map(toSessionId)
  for (const id of ids) t.match(id, /^[A-Za-z0-9_-]{1,128}$/)
  t.equal(new Set(ids).size, 4)
  t.equal(sessionOfFile('/somewhere/history.json'), 'history')
})
