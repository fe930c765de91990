/** No object of a command survives the next collections of the young generation. */
import t from 'tap'
import { bytesLeftBehind } from '../../support/left-behind.js'
import { startRuntime } from '../../support/runtime.js'

const NUMBERS = 4_000

t.test('what a command brought along is freed once it is answered', async (t) => {
  const { ask } = await startRuntime()
  await ask('a', { type: 'list.create' })
  const left = await bytesLeftBehind(() => {
    const command = { type: 'list.append', word: 'a', numbers: new Float64Array(NUMBERS) } as const
    return ask('a', command)
  })
  t.ok(left < (NUMBERS * Float64Array.BYTES_PER_ELEMENT) / 4, `${String(left)} bytes`)
})
