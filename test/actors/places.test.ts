import t from 'tap'
import { createPlaces } from '../../actors/places.js'
import { settled } from '../support/manual-clock.js'

t.test('a limited number of places, is given in the order they were asked for', async (t) => {
  const places = createPlaces(2)
  const entered: number[] = []
  for (let n = 0; n < 5; n++) void places.enter().then(() => entered.push(n))
  await settled()
  t.same(entered, [0, 1])
  places.leave()
  await settled()
  t.same(entered, [0, 1, 2])
  for (let n = 0; n < 4; n++) places.leave()
  await settled()
  t.same(entered, [0, 1, 2, 3, 4])
  await Promise.all([places.enter(), places.enter()])
})
