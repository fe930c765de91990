import t from 'tap'
import { removalReply } from '../../src/domain/removals.js'

const asked = (type: string) => ({ command: { type } })

t.test('a removal that finds nothing left, is answered as the try that removed it', async (t) => {
  t.strictSame(removalReply(asked('session.delete'), 'session_missing'), { reply: { deleted: true } })
  t.strictSame(removalReply(asked('cluster.delete'), 'cluster_missing'), { reply: { deleted: true } })
  t.strictSame(removalReply(asked('region.delete'), 'region_missing'), { reply: { deleted: true } })
})

t.test('any other refusal, and any other command, stands as it is', async (t) => {
  t.equal(removalReply(asked('session.delete'), 'in_use'), undefined)
  t.equal(removalReply(asked('cluster.delete'), 'session_missing'), undefined)
  t.equal(removalReply(asked('memory.delete'), 'session_missing'), undefined)
  t.equal(removalReply(asked('constructor'), 'session_missing'), undefined)
})
