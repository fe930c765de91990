import t from 'tap'
import { pinnedProblem } from '../../../../actors/session/record/pinned.js'
import { PINNED_BYTES_MAX, PINNED_MEMORIES_MAX } from '../../../../src/domain/limits.js'
import { memoryEntry } from '../../../support/memories.js'

const vectors = Float32Array.of(1)
const ofText = (text: string) => memoryEntry(1, text, { vectors })

t.test('a session pins so many memories and no more', async (t) => {
  const most = Array.from({ length: PINNED_MEMORIES_MAX }, () => ofText('a rule'))
  t.equal(pinnedProblem(most), null)
  t.match(pinnedProblem([...most, ofText('')]), new RegExp(`at most ${PINNED_MEMORIES_MAX} memories`))
})

t.test('the texts that a session pins have so many bytes together and no more, however many characters that are', async (t) => {
  const half = PINNED_BYTES_MAX / 2
  t.equal(pinnedProblem([ofText('a'.repeat(half)), ofText('ä'.repeat(half / 2))]), null)
  t.match(
    pinnedProblem([ofText('a'.repeat(half)), ofText('ä'.repeat(half / 2)), ofText('a')]),
    new RegExp(`at most ${PINNED_BYTES_MAX} bytes`)
  )
})
