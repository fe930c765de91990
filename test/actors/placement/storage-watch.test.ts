import t from 'tap'
import { createStorageWatch } from '../../../actors/placement/storage-watch.js'
import { createManualClock, settled } from '../../support/manual-clock.js'

function start() {
  const clock = createManualClock()
  const told: string[] = []
  const answers: { resolve(): void; reject(error: Error): void }[] = []
  const look = createStorageWatch({
    check: () => new Promise<void>((resolve, reject) => answers.push({ resolve, reject })),
    clock,
    found: () => told.push('found'),
    lost: () => told.push('lost')
  })
  return { clock, told, answers, look }
}

t.test('a storage that answers is found with every look', async (t) => {
  const { told, answers, look } = start()
  for (const count of [1, 2]) {
    look()
    answers.at(-1)?.resolve()
    await settled()
    t.equal(told.length, count)
  }
  t.same(told, ['found', 'found'])
})

t.test('a storage that refuses is lost from three seconds after its last answer on, with every look', async (t) => {
  const { clock, told, answers, look } = start()
  const refused = async () => {
    look()
    answers.at(-1)?.reject(new Error('gone'))
    await settled()
  }
  await clock.advance(5_000)
  look()
  answers.at(-1)?.resolve()
  await settled()
  await clock.advance(2_999)
  await refused()
  t.same(told, ['found'])
  await clock.advance(1)
  await refused()
  await refused()
  t.same(told, ['found', 'lost', 'lost'])
})

t.test('a look ends after a second without an answer, and none begins before', async (t) => {
  const { clock, told, answers, look } = start()
  await clock.advance(3_000)
  look()
  look()
  await clock.advance(999)
  look()
  t.equal(answers.length, 1)
  t.same(told, [])
  await clock.advance(1)
  t.same(told, ['lost'])
  look()
  t.equal(answers.length, 2)
})
