import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isExecutable } from '../../src/platform/executable.js'

t.test('a program is a file that may be started', async (t) => {
  const folder = t.testdir()
  const at = (name: string, mode: number) => {
    writeFileSync(join(folder, name), '#!/bin/sh\n', { mode })
    return join(folder, name)
  }
  t.equal(isExecutable(at('program', 0o755)), true)
  t.equal(isExecutable(at('text', 0o644)), false)
  t.equal(isExecutable(join(folder, 'missing')), false)
})
