import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import t, { type Test } from 'tap'
import { temporaryFolder } from './temporary-folder.js'

async function folderIn(t: Test, memory: string, freeMin: number): Promise<string> {
  const folder = await temporaryFolder(memory, freeMin)
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  t.strictSame(readdirSync(folder), [])
  t.equal(statSync(folder).mode & 0o777, 0o755, 'for servers of other users')
  return dirname(folder)
}

t.test('a temporary folder is in memory where there is room, and else where the system has them', async (t) => {
  const memory = t.testdir()
  t.equal(await folderIn(t, memory, 0), memory)
  t.equal(await folderIn(t, memory, Infinity), tmpdir())
  t.strictSame(readdirSync(memory).length, 1)
  t.notOk(existsSync(`${memory}/none`))
  t.equal(await folderIn(t, `${memory}/none`, 0), tmpdir())
})
