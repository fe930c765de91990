/** An erased text is not in the memory of the process either, as its heap snapshot shows. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { FEW_DOCUMENTS_MAX } from '../../../src/domain/words/few-documents.js'
import { hashOf } from '../../support/erasure-story.js'
import { programArgs } from '../../support/program.js'

/** The two share a word long enough that V8 would keep a part of a text as a reference to the whole. */
const SECRET = 'The vault behind the mirror of antidisestablishmentarianism opens with Wintermute 42'
const KEPT = 'Bob plants the crocosmia by the fence of antidisestablishmentarianism'
/** As the words of the secret are indexed. */
const STEM = 'wintermut'

/** Module loaded into the process: writes a heap snapshot on SIGUSR2, and reports it. */
const SNAPSHOTS = `
  import { writeHeapSnapshot } from 'node:v8'
  process.on('SIGUSR2', () => {
    writeHeapSnapshot(process.env.SNAPSHOT_FILE)
    console.log('{"msg":"snapshot"}')
  })
`

interface Running {
  readonly url: string
  /** Takes a heap snapshot. Resolves with whether each text is in it. */
  holds(texts: readonly string[]): Promise<boolean[]>
}

/** Starts a service on an SQLite file, in a process of its own. */
async function startProcess(t: Test, directory: string): Promise<Running> {
  const snapshot = join(directory, 'heap.json')
  const env = {
    SNAPSHOT_FILE: snapshot,
    PATH: process.env['PATH'] ?? '',
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_PORT: '0',
    SERVICE_COMPLIANCE: '1',
    SERVICE_STATE_PERSIST: '1',
    DATABASE_URL: `sqlite:${join(directory, 'sessions.db')}`
  }
  const args = ['--import', `data:text/javascript,${encodeURIComponent(SNAPSHOTS)}`, ...programArgs('src/main.ts')]
  const child = spawn(process.execPath, args, { env })
  t.teardown(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const said = async (wanted: string): Promise<{ readonly url?: string }> => {
    for (;;) {
      const { value, done } = (await lines.next()) as IteratorResult<string, undefined>
      if (done === true) throw new Error(`the process ended before it said ${wanted}`)
      const line = JSON.parse(value) as { msg?: string; url?: string }
      if (line.msg === wanted) return line
    }
  }
  const { url = '' } = await said('listening')
  return {
    url,
    async holds(texts) {
      child.kill('SIGUSR2')
      await said('snapshot')
      const content = await readFile(snapshot)
      return texts.map((text) => content.includes(text))
    }
  }
}

t.test('an erased text and its hash are not in the memory of the process', async (t) => {
  const directory = t.testdir()
  const { url, holds } = await startProcess(t, directory)
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(new URL(path, url), {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    })
    return response.json()
  }
  await send('POST', '/v1/run', { session_id: 's', message: SECRET, user_id: 'ann' })
  await send('POST', '/v1/run', { session_id: 's', message: KEPT, user_id: 'bob' })
  // More memories than those whose words are kept packed.
  const beds = Array.from({ length: FEW_DOCUMENTS_MAX }, (_, bed) => ({ text: `Bob waters bed ${bed}`, user_id: 'bob' }))
  await send('POST', '/v1/session/s/memories', { memories: beds })
  await send('POST', '/v1/session/s/search', { query: 'mirror' })
  const traces = [SECRET, hashOf(SECRET), STEM, KEPT]
  t.strictSame(await holds(traces), [true, true, true, true])
  t.match(await send('DELETE', '/v1/compliance/users/ann/memory'), { erased_memories: 1, sessions_affected: 1 })
  // Parsers and patterns keep their last input in buffers, which the next request overwrites.
  await send('POST', '/v1/session/s/search', { query: 'fence' })
  t.strictSame(await holds(traces), [false, false, false, true])
})
