import { once } from 'node:events'
import { Readable } from 'node:stream'
import t from 'tap'
import { discard } from '../../../src/http/wire/body-turns.js'
import { until } from '../../support/until.js'

t.test('a body that is thrown away is read in turns too', async (t) => {
  const payload = new Readable({ read: () => undefined })
  const waiting: (() => void)[] = []
  discard(payload, (goOn) => void waiting.push(goOn))
  payload.push('one')
  payload.push('two')
  await until(() => waiting.length === 1)
  t.ok(payload.isPaused())
  waiting.shift()?.()
  await until(() => waiting.length === 1)
  payload.push(null)
  waiting.shift()?.()
  await once(payload, 'end')
})
