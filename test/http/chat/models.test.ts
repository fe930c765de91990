// The list of models, through a real upstream.
import t from 'tap'
import { answer, startChat, UPSTREAM_KEY } from '../../support/chat-upstream.js'

t.test('the list of models is the one of the upstream', async (t) => {
  const models = { object: 'list', data: [{ id: 'm', object: 'model', created: 1, owned_by: 'x' }] }
  const { client, upstream } = await startChat(t, ({ response }) => answer(response, models))
  t.strictSame((await client.models.list()).data, models.data)
  t.match(upstream.calls[0], { method: 'GET', path: '/v1/models', headers: { authorization: `Bearer ${UPSTREAM_KEY}` } })
})

t.test('a HEAD of the list of models has its status and headers, and is no fault of the service', async (t) => {
  const { alice, url, logs, close } = await startChat(t, ({ response }) => answer(response, { object: 'list', data: [] }))
  const head = await fetch(`${url}/compat/v1/models`, { method: 'HEAD', headers: { authorization: `Bearer ${alice.token}` } })
  t.match({ status: head.status, type: head.headers.get('content-type') }, { status: 200, type: /^application\/json/ })
  t.equal(head.headers.get('content-length'), null, 'it is that of the list, which was not read')
  await close()
  t.notMatch(logs.join(''), /"level":50/)
})
