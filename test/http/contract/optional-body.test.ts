// Interface, Errors: 422 is for what is missing or out of range. A request in which nothing can be missing may have no body.
import t from 'tap'
import { finding, startService } from '../../support/real-service.js'

const OPTIONAL = ['/v1/session/create', '/v1/cluster/', '/v1/region/', '/v1/observer/']

interface Published {
  readonly paths: Readonly<Record<string, { readonly post?: { readonly requestBody?: { readonly required?: boolean } } }>>
}

t.test('a body in which no field is required may be left out, and its operation says so', async (t) => {
  const alice = await (await startService(t)).as('alice')
  for (const url of OPTIONAL) {
    t.match(await alice.post(url), { status: url === '/v1/session/create' ? 200 : 201 }, url)
    t.equal(finding(await alice.post(url, null)), 'body: missing', `${url}: null is no object`)
  }
  await alice.post('/v1/session/create', { session_id: 's' })
  for (const url of ['/v1/run', '/v1/session/s/trigger', '/v1/session/s/memory', '/v1/network/transfer'])
    t.equal(finding(await alice.post(url)), 'body: missing', url)
  const { paths } = (await alice.get('/openapi.json')).body as unknown as Published
  for (const [path, { post }] of Object.entries(paths))
    if (post?.requestBody !== undefined) t.equal(post.requestBody.required, !OPTIONAL.includes(path), path)
})
