import t from 'tap'
import { createSyncedFiles } from './synced-files.js'

const hex = (text: string): string => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
const fd = (path: string): string => `7<${hex(path)}>`

function told(before: Readonly<Record<string, string>>, ...lines: string[]) {
  const files = createSyncedFiles({
    folder: '/data',
    cwd: '/data',
    before: new Map(Object.entries(before).map(([path, text]) => [path, Buffer.from(text)]))
  })
  for (const line of lines) files.take(line)
  return Object.fromEntries([...files.all()].map(({ path, written, synced }) => [path, [written.toString(), synced.toString()]]))
}

t.test('what was written is lost until it is synced, in its own file alone', async (t) => {
  const [log, other] = ['/data/log', '/data/other']
  t.strictSame(
    told(
      { [log]: 'ab', [other]: '' },
      `1 write(${fd(log)}, "${hex('cd')}", 2) = 2`,
      `1 fdatasync(${fd(log)}) = 0`,
      `1 pwrite64(${fd(log)}, "${hex('XY')}", 2, 3) = 2`,
      `1 write(${fd(other)}, "${hex('lost')}", 4) = 4`,
      `1 write(${fd('/elsewhere')}, "${hex('no')}", 2) = 2`
    ),
    { [log]: ['abcXY', 'abcd'], [other]: ['lost', ''] }
  )
})

t.test('a sync is over when it has returned, whatever other threads do meanwhile', async (t) => {
  const log = '/data/log'
  t.strictSame(
    told(
      { [log]: '' },
      `1 write(${fd(log)}, "${hex('a')}", 1) = 1`,
      `1 fsync(${fd(log)} <unfinished ...>`,
      `2 write(3<${hex('pipe')}>, "${hex('z')}", 1) = 1`,
      `1 <... fsync resumed>) = 0`,
      `1 write(${fd(log)}, "${hex('b')}", 1 <unfinished ...>`,
      `1 <... write resumed>) = 1`
    ),
    { [log]: ['ab', 'a'] }
  )
})

t.test('made, cut, lengthened, renamed and removed', async (t) => {
  t.strictSame(
    told(
      { '/data/old': 'old', '/data/gone': 'gone', '/data/long': 'long' },
      `1 openat(AT_FDCWD<${hex('/data')}>, "${hex('new')}", O_RDWR|O_CREAT, 0600) = ${fd('/data/new')}`,
      `1 pwritev(${fd('/data/new')}, [{iov_base="${hex('a')}", iov_len=1}, {iov_base="${hex('b')}", iov_len=1}], 2, 0) = 2`,
      `1 rename("${hex('new')}", "${hex('/data/old')}") = 0`,
      `1 unlink("${hex('gone')}") = 0`,
      `1 unlink("${hex('not-there')}") = -1 ENOENT`,
      `1 ftruncate(${fd('/data/long')}, 2) = 0`,
      `1 fallocate(${fd('/data/long')}, 0, 0, 3) = 0`,
      `1 fsync(${fd('/data/long')}) = 0`
    ),
    { '/data/old': ['ab', ''], '/data/long': ['lo\0', 'lo\0'] }
  )
})

t.test('a call that is not told in full is no base to judge by', async (t) => {
  t.throws(() => told({}, `1 write(${fd('/data/log')}, "${hex('a')}"..., 9) = 9`), /not told in full/)
})
