/** The client in workerd, the runtime of Cloudflare's edge, which has no Node.js modules. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { builtClient } from '../support/built.js'
import { freePort } from '../support/free-port.js'
import { listen } from '../support/listening-service.js'

/** Worker that answers any request with the results of its calls. */
const WORKER = `import { createEngram, isEngramError } from 'client.js'
export default {
  async fetch(request, { url, token }) {
    const engram = createEngram({ url, token })
    const session = engram.session('edge')
    const { turn } = await session.run({ message: 'Hello from the edge' })
    await session.store({ response: 'Hello, edge' })
    const texts = []
    for await (const { text } of session.memories.all({ limit: 1 })) texts.push(text)
    const refused = await engram.session('none').metrics().catch((error) => error)
    const hurried = await session.metrics({ signal: AbortSignal.abort() }).catch((error) => error)
    const first = (await engram.debug.events({ since: 0 }).next()).value.seq
    return Response.json({ turn, texts, kinds: [refused, hurried].map((error) => isEngramError(error) && error.kind), first })
  }
}`

function configOf({ url, token, port }: { url: string; token: string; port: number }): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["private", "local", "public"]))],
  sockets = [(name = "http", address = "127.0.0.1:${String(port)}", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "client.js", esModule = embed "client.js")],
  bindings = [(name = "url", text = "${url}"), (name = "token", text = "${token}")],
  compatibilityDate = "2026-01-01"
);`
}

/** Starts workerd. Resolves with its base URL once it answers. */
async function startWorkerd(t: Test, service: { url: string; token: string }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'workerd-'))
  const port = await freePort()
  await writeFile(join(folder, 'worker.js'), WORKER)
  await writeFile(join(folder, 'client.js'), await builtClient())
  await writeFile(join(folder, 'config.capnp'), configOf({ ...service, port }))
  const binary = join(dirname(createRequire(import.meta.url).resolve('workerd/package.json')), 'bin/workerd')
  const child = spawn(binary, ['serve', 'config.capnp', '--control-fd=3'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk))
  const exited = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true })
  })
  const control = child.stdio[3]
  if (control == null) throw new Error('workerd has no control channel')
  await Promise.race([
    once(control, 'data'),
    exited.then(() => {
      throw new Error(`workerd ended: ${complaints}`)
    })
  ])
  return `http://127.0.0.1:${String(port)}`
}

t.test('the client in workerd has every kind of call', async (t) => {
  const { url, token } = await listen(t, { env: { SERVICE_DEBUG_UI: '1', SERVICE_DEBUG_TRACE: '1' } })
  const worker = await startWorkerd(t, { url, token: await token('alice') })
  const answer = await fetch(worker, { signal: AbortSignal.timeout(60_000) })
  t.same(await answer.json(), {
    turn: 1,
    texts: ['Hello from the edge', 'Hello, edge'],
    kinds: ['not_found', 'aborted'],
    first: 1
  })
})
