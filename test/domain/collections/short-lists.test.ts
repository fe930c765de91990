import t from 'tap'
import { listOfOne, withNext } from '../../../src/domain/collections/short-lists.js'

t.test('a list has every element that it was given, in order, lists among them', async (t) => {
  let list: (number | number[])[] = []
  for (let at = 0; at < 100; at++) {
    list = withNext<number | number[]>(list, at % 2 === 0 ? at : [at])
    t.equal(list.length, at + 1)
  }
  t.same(
    list,
    Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? at : [at]))
  )
})

t.test('a short list is left as it was, and a long one is the same afterwards', async (t) => {
  const short = [1, 2]
  t.same(withNext(short, 3), [1, 2, 3])
  t.same(short, [1, 2])
  const long = Array.from({ length: 64 }, (_, at) => at)
  t.equal(withNext(long, 64), long)
})

t.test('a list of one number is the same each time while the number is small', async (t) => {
  for (const number of [0, 1, 16_383]) {
    t.same(listOfOne(number), [number])
    t.equal(listOfOne(number), listOfOne(number))
  }
  t.same(listOfOne(16_384), [16_384])
  t.not(listOfOne(16_384), listOfOne(16_384))
})
