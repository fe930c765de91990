import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { requireFile } from '../../../src/cli/console/named-file.js'

const NOBODY = 65_534

t.test('a file that may not be read is refused by its name, before anything is done with it', async (t) => {
  const file = join(t.testdir({ 'memories.json': '[]' }), 'memories.json')
  await requireFile(file)
  chmodSync(file, 0o000)
  // Root may read every file.
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.(NOBODY)
  try {
    await t.rejects(requireFile(file), { name: 'CommandFailure', message: `${file} may not be used by this user.` })
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
})
