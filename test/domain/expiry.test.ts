import t from 'tap'
import { isAlive } from '../../src/domain/expiry.js'
import { memoryEntry } from '../support/memories.js'

t.test('a memory is alive until its expiry, one without expiry for ever', async (t) => {
  t.equal(isAlive(memoryEntry(1, 'a').memory, 1e12), true)
  const { memory } = memoryEntry(1, 'a', { expiresAt: 100 })
  t.equal(isAlive(memory, 99.9), true)
  t.equal(isAlive(memory, 100), false)
})
