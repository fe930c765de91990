import t from 'tap'
import { createHandedOnStorage } from '../../../actors/placement/handed-on-storage.js'
import type { Peers } from '../../../actors/placement/peers.js'
import type { Address } from '../../../src/domain/address.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { codeOf } from '../../support/runtime.js'

const ADDRESS: Address = { kind: 'session', subject: 'tester', id: 'a' }
const RECORD = { head: { length: 1 }, rows: [{ collection: 'words', id: '1', body: 'one' }] }

/** The storage of a node beside others that answer so. */
function start(answers: readonly (typeof RECORD | null)[], missing = 0) {
  const asked: string[] = []
  const askAll: Peers['askAll'] = async ({ type }) => {
    asked.push(type)
    return { answers: answers as never, missing }
  }
  return { asked, storage: createHandedOnStorage(createMemoryStorage({ retains: true }), () => ({ askAll })) }
}

t.test('a record that another node has is taken over once, and kept here from then on', async (t) => {
  const { storage, asked } = start([null, RECORD])
  const taken = await storage.activate(ADDRESS)
  t.match(taken, RECORD)
  t.match(await storage.activate(ADDRESS), RECORD)
  t.equal(await storage.exists(ADDRESS), true)
  t.match(await storage.peek(ADDRESS), { head: RECORD.head })
  t.same(asked, ['record.take'])
})

t.test('a record that none has may be made unless a node that may have it does not answer', async (t) => {
  t.equal(await start([null]).storage.activate(ADDRESS), null)
  t.equal(await codeOf(start([null], 1).storage.activate(ADDRESS)), 'storage_unavailable')
  t.match(await start([RECORD], 1).storage.activate(ADDRESS), RECORD, 'one that has it has answered')
})
