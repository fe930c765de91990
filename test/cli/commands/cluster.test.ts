import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { childrenOf } from '../../support/machine-processes.js'
import { needs } from '../../support/needs.js'
import { programArgs } from '../../support/program.js'

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, [...programArgs('src/cli/engram.ts'), 'cluster', ...args], {
    env: { PATH: process.env['PATH'], SERVICE_EMBEDDER: 'lexical', ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
}

t.test(
  'engram cluster: a session written through one node is read through the others; SIGTERM leaves nothing behind',
  needs('nats-server', 'initdb'),
  async (t) => {
    // Not inside the project: PostgreSQL runs as a user who may not be able to read the tester's home.
    const folder = mkdtempSync(join(tmpdir(), 'cluster-'))
    chmodSync(folder, 0o755)
    t.teardown(() => rmSync(folder, { recursive: true }))
    const child = run(['--port', '0'], { TMPDIR: folder })
    t.teardown(() => child.kill('SIGTERM'))
    const urls: string[] = []
    const said: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line)
      const [, url] = /^Node n\d {2}(\S+)$/.exec(line) ?? []
      if (url !== undefined) urls.push(url)
      if (line === 'Ctrl-C stops everything.') break
    }
    child.stdout.resume()
    t.equal(urls.length, 3, said.join('\n'))
    const answer = await fetch(`${urls[0]!}/v1/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ session_id: 'anna', message: 'My train to Lisbon leaves at nine.' })
    })
    t.equal(answer.status, 200)
    for (const url of urls) {
      const context = await fetch(`${url}/v1/state/context?session_id=anna`)
      t.match(await context.text(), 'My train to Lisbon leaves at nine.', url)
    }

    // There may also be the loader's compiler process, which ends with its parent.
    const children = childrenOf(child.pid ?? NaN)
    const pids = children.filter(({ command }) => /nats-server|postgres|redis-server|main\.[jt]s/.test(command)).map(({ pid }) => pid)
    t.equal(pids.length, 5, children.map(({ command }) => command).join('\n'))
    child.kill('SIGTERM')
    t.strictSame(await once(child, 'close'), [0, null])
    for (const pid of pids) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
    for (const url of urls) await t.rejects(fetch(url))
    t.strictSame(
      readdirSync(folder).filter((name) => name.startsWith('engram-')),
      []
    )
  }
)

t.test('engram cluster: a port that is taken is named, and nothing is started', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  t.strictSame(await refusal(['--port', String(port)]), { code: 1, said: `Port ${port} is taken: --port 0 takes free ones.\n` })
  t.match(await refusal(['--port', 'many']), { code: 2, said: '--port must be a whole number from 0 to' })
})

async function refusal(args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const child = run(args)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}
