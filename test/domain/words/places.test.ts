import fc from 'fast-check'
import t from 'tap'
import {
  countOf,
  documentAt,
  listOf,
  LongPlaces,
  NO_PLACES,
  placeOf,
  type Places,
  positionIn,
  withoutPlaces,
  withPlace
} from '../../../src/domain/words/places.js'

const listed = (places: Places): number[] => Array.from(listOf(places)).slice(0, countOf(places))

t.test('places are those of a sorted list, after any adding and removing of documents', async (t) => {
  const few = fc.uniqueArray(fc.nat(300), { minLength: 1, maxLength: 3 })
  const many = fc.uniqueArray(fc.nat(300), { minLength: 1, maxLength: 60, size: 'max' })
  const step = fc.record({ documents: fc.oneof(few, many), isAdded: fc.boolean() })
  const kinds = new Set<string>()
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      let places: Places = NO_PLACES
      let held: number[] = []
      for (const { documents, isAdded } of steps) {
        if (isAdded) {
          const added = documents.filter((document) => !held.includes(document))
          for (const document of added) {
            places = countOf(places) === 0 ? placeOf(document) + 3 : withPlace(places, placeOf(document) + 3)
          }
          held = [...held, ...added].sort((a, b) => a - b)
        } else {
          const gone = documents.filter((document) => held.includes(document)).sort((a, b) => a - b)
          if (gone.length > 0) places = withoutPlaces(places, gone)
          held = held.filter((document) => !gone.includes(document))
        }
        kinds.add(typeof places === 'number' ? 'one' : places instanceof LongPlaces ? 'long' : 'short')
        t.equal(countOf(places), held.length)
        t.same(listed(places).map(documentAt), held)
        t.same(
          listed(places),
          held.map((document) => placeOf(document) + 3)
        )
        for (const document of documents) t.equal(positionIn(places, placeOf(document)), held.filter((other) => other < document).length)
      }
    })
  )
  t.same(kinds, new Set(['one', 'short', 'long']))
  t.same(NO_PLACES, [], 'the empty list is shared')
})

t.test('a list gets typed when it is long, and an array again once it is half as short', async (t) => {
  let places: Places = placeOf(0)
  for (let document = 1; document < 64; document++) places = withPlace(places, placeOf(document))
  t.ok(Array.isArray(places))
  places = withPlace(places, placeOf(64))
  t.ok(places instanceof LongPlaces)
  places = withoutPlaces(
    places,
    Array.from({ length: 32 }, (_, at) => at)
  )
  t.ok(places instanceof LongPlaces)
  t.ok(Array.isArray(withoutPlaces(places, [40])))
})
