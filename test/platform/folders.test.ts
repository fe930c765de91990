import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { makeFolder } from '../../src/platform/folders.js'

t.test('a folder and those above it are made with their mode, and again it is fine', (t) => {
  const above = join(t.testdir(), 'a')
  const folder = join(above, 'b')
  makeFolder(folder, 0o700)
  makeFolder(folder, 0o700)
  for (const made of [above, folder]) t.equal(statSync(made).mode & 0o777, 0o700)
  t.end()
})

t.test('a folder through a file, or in place of one, is refused', (t) => {
  const file = join(t.testdir(), 'file')
  writeFileSync(file, '')
  t.throws(() => makeFolder(file), { code: 'EEXIST' })
  t.throws(() => makeFolder(join(file, 'below', 'it')), { code: 'ENOTDIR' })
  t.end()
})

t.test('a file system that takes no folder is refused at once', { skip: process.platform !== 'linux' }, (t) => {
  t.throws(() => makeFolder('/proc/engram/below'), { code: 'ENOENT' })
  t.notOk(existsSync('/proc/engram'))
  t.end()
})
