import t from 'tap'
import { createFairGate, type Turn } from '../../src/auth/fair-gate.js'
import type { Cancel } from '../../src/ports.js'
import { createManualClock } from '../support/manual-clock.js'
import { codeOf } from '../support/runtime.js'

/** Creates turns with one place by default. `entered`: names of those that had their turn, in order. */
function createDoor(placesMax = 1) {
  const clock = createManualClock()
  const take = createFairGate({ clock, placesMax, waitMsMax: 1_000 })
  const entered: string[] = []
  const inside: Cancel[] = []
  return {
    clock,
    entered,
    come(name: string, turn: Turn) {
      const taken = take(turn).then((leave) => {
        entered.push(name)
        inside.push(leave)
      })
      taken.catch(() => undefined)
      return taken
    },
    async leave() {
      inside.shift()?.()
      await clock.advance(0)
    }
  }
}

const known = (from: string): Turn => ({ from, isKnown: true })
const unknown = (from: string): Turn => ({ from, isKnown: false })

t.test('as many have a turn at once as there are places', async (t) => {
  const door = createDoor(2)
  for (const name of ['a', 'b', 'c', 'd']) void door.come(name, unknown('1'))
  await door.clock.advance(0)
  t.same(door.entered, ['a', 'b'])
  await door.leave()
  t.same(door.entered, ['a', 'b', 'c'])
})

t.test('those who were let in before come first, and of the others each address in its turn', async (t) => {
  const door = createDoor()
  const comers = [
    ['first', unknown('1')],
    ['a1', unknown('1')],
    ['a2', unknown('1')],
    ['b1', unknown('2')],
    ['b2', unknown('2')],
    ['known', known('1')]
  ] as const
  for (const [name, turn] of comers) void door.come(name, turn)
  await door.clock.advance(0)
  for (let round = 0; round < 10; round++) await door.leave()
  t.same(door.entered, ['first', 'known', 'a1', 'b1', 'a2', 'b2'])
})

t.test('known callers have three turns of four, in which they alternate, and leave the fourth to the others', async (t) => {
  const door = createDoor()
  void door.come('first', known('s'))
  for (let n = 1; n <= 6; n++) void door.come(`many${String(n)}`, known('many'))
  void door.come('few', known('few'))
  for (let n = 1; n <= 3; n++) void door.come(`new${String(n)}`, unknown('1'))
  await door.clock.advance(0)
  for (let round = 0; round < 10; round++) await door.leave()
  t.same(door.entered, ['first', 'many1', 'few', 'many2', 'new1', 'many3', 'many4', 'many5', 'new2', 'many6', 'new3'])
})

t.test('one whose turn has not come in time is refused, and takes nobody’s place', async (t) => {
  const door = createDoor()
  void door.come('first', unknown('1'))
  const late = door.come('late', unknown('1'))
  await door.clock.advance(500)
  void door.come('next', unknown('1'))
  await door.clock.advance(500)
  t.equal(await codeOf(late), 'busy')
  await door.leave()
  t.same(door.entered, ['first', 'next'])
  await door.leave()
  t.equal(door.clock.pending, 0)
  void door.come('last', unknown('1'))
  await door.clock.advance(0)
  t.same(door.entered, ['first', 'next', 'last'], 'every place was given back')
})
