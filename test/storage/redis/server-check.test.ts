/** What a Redis server says about itself, and whether it is taken: servers that cannot be installed here tell it by their INFO. */
import t from 'tap'
import { DomainError } from '../../../src/domain/errors.js'
import { checkLayout, checkRoom, checkServer } from '../../../src/storage/redis/server-check.js'

const FIT = { redis_version: '7.0.0', maxmemory_policy: 'noeviction', role: 'master' }

function saying(fields: Readonly<Record<string, string | number>>) {
  const lines = Object.entries({ ...FIT, ...fields }).map(([name, value]) => `${name}:${value}`)
  return async (command: string) => (command === 'INFO' ? Buffer.from(['# Server', ...lines, ''].join('\r\n')) : null)
}

const refusal = (sentence: RegExp) => ({ code: 'storage_unavailable', message: sentence })

t.test('a server is refused that is old, evicts keys or is a replica', async (t) => {
  await t.resolves(checkServer(saying({})))
  await t.resolves(checkServer(saying({ redis_version: '10.1.2' })), 'a version of two digits')
  await t.rejects(checkServer(saying({ redis_version: '6.2.14' })), refusal(/version 7 or later/))
  await t.rejects(checkServer(saying({ maxmemory_policy: 'allkeys-lru' })), refusal(/evicts keys/))
  await t.rejects(checkServer(saying({ role: 'slave' })), refusal(/replica/))
})

t.test('a server of a cluster is refused unless it answers for all keys', async (t) => {
  const inCluster = (isHeld: (key: string) => boolean) => {
    const info = saying({ cluster_enabled: 1 })
    return async (command: string, key?: unknown) => {
      if (command !== 'INFO' && !isHeld(String(key)))
        throw new DomainError('storage_unavailable', 'no', { cause: Object.assign(new Error('no'), { code: 'MOVED' }) })
      return info(command)
    }
  }
  await t.resolves(checkServer(inCluster(() => true)))
  await t.rejects(checkServer(inCluster((key) => !key.includes('99'))), refusal(/a part of the keys of a cluster/))
  const silent = async (command: string) =>
    command === 'INFO' ? saying({ cluster_enabled: 1 })(command) : Promise.reject(new DomainError('storage_unavailable', 'no answer'))
  await t.rejects(checkServer(silent), refusal(/no answer/))
})

t.test('a server has no room when its memory is full, but for what does not count, or when it cannot write', async (t) => {
  const full = { maxmemory: 100, used_memory: 130, mem_not_counted_for_evict: 20 }
  await t.resolves(checkRoom(saying({})))
  await t.resolves(checkRoom(saying({ ...full, maxmemory: 0 })), 'without a limit')
  await t.resolves(checkRoom(saying({ ...full, used_memory: 120 })))
  await t.rejects(checkRoom(saying(full)), refusal(/no room/))
  await t.rejects(checkRoom(saying({ aof_last_write_status: 'err' })), refusal(/no room/))
})

t.test('a layout that this build does not know is refused', async (t) => {
  await t.resolves(checkLayout(async () => null))
  await t.rejects(
    checkLayout(async () => Buffer.from('99')),
    { code: 'storage_unavailable' }
  )
})
