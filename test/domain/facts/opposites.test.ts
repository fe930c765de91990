import t from 'tap'
import { hasOpposites } from '../../../src/domain/facts/opposites.js'

const areOpposed = (a: string, b: string) => hasOpposites([a], new Set([b]))

t.test('what is opposed is so from either side: by the list, and by a prefix', (t) => {
  for (const [a, b] of [
    ['tag', 'nacht'],
    ['lock', 'unlock'],
    ['appear', 'disappear'],
    ['raucher', 'nichtraucher']
  ] as const)
    t.same([areOpposed(a, b), areOpposed(b, a)], [true, true], `${a}, ${b}`)
  t.end()
})

t.test('words that are not opposed are told from it, and so are those too short to carry a prefix', (t) => {
  for (const [a, b] of [
    ['tag', 'tag'],
    ['tag', 'winter'],
    ['lock', 'padlock'],
    ['it', 'unit']
  ] as const)
    t.same([areOpposed(a, b), areOpposed(b, a)], [false, false], `${a}, ${b}`)
  t.end()
})
