/** How long an erasure waits for Redis to write its files anew. */
import t, { type Test } from 'tap'
import { purgeFiles } from '../../../src/storage/redis/log-rewrite.js'
import { codeOf } from '../../support/runtime.js'

/** A server that has written a file at the last of so many looks, each of which takes 30 s; with a clock of its own. */
function start(t: Test, looksAFile: number) {
  let nowMs = 0
  t.intercept(performance, 'now', { value: () => nowMs })
  const asked: string[] = []
  let left = 0
  return {
    asked,
    async ask(command: string) {
      asked.push(command)
      if (command === 'INFO') {
        nowMs += 30_000
        left -= 1
      } else left = looksAFile
      return Buffer.from(
        `aof_enabled:1\r\naof_rewrite_in_progress:${left > 0 ? 1 : 0}\r\naof_last_bgrewrite_status:ok\r\nrdb_last_bgsave_status:ok\r\n`
      )
    }
  }
}

t.test('both files are written one after the other', async (t) => {
  const { ask, asked } = start(t, 1)
  await purgeFiles(ask)
  t.same(asked, ['INFO', 'BGREWRITEAOF', 'INFO', 'BGSAVE', 'INFO'])
})

t.test('one deadline holds for both files, and counts what the server takes to answer', async (t) => {
  const { ask, asked } = start(t, 2)
  t.equal(await codeOf(purgeFiles(ask)), 'storage_unavailable')
  t.same(asked, ['INFO', 'BGREWRITEAOF', 'INFO', 'INFO', 'BGSAVE', 'INFO'])
})

t.test('a refusal by a server that is idle again by the next look is tried once more', async (t) => {
  const { ask, asked } = start(t, 1)
  for (const [refusals, isWritten] of [
    [1, true],
    [2, false]
  ] as const) {
    let left = refusals
    const refusing = (command: string) =>
      command === 'BGREWRITEAOF' && left-- > 0 ? Promise.reject(new Error('in progress')) : ask(command)
    const purging = purgeFiles(refusing)
    if (isWritten) await purging
    else await t.rejects(purging, { message: 'in progress' })
    t.equal(asked.includes('BGSAVE'), isWritten)
    asked.length = 0
  }
})
