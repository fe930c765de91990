import fc from 'fast-check'
import t from 'tap'
import { LabelFinder, NO_LABEL, ONE_PART_MAX } from '../../../src/domain/collections/label-finder.js'
import { Labels } from '../../../src/domain/collections/labels.js'
import { murmurHash } from '../../../src/domain/collections/murmur-hash.js'

interface Owner {
  readonly name: string
}

function start() {
  const owners = new Labels<Owner>()
  const finder = new LabelFinder(owners, ({ name }) => name)
  return {
    finder,
    add(name: string): void {
      finder.add(owners.take({ name }))
    },
    remove(name: string): void {
      const label = finder.labelOf(name)
      finder.delete(label)
      owners.free(label)
    }
  }
}

/** Texts whose hashes end with the same bits. */
function crowd(count: number): string[] {
  const texts: string[] = []
  for (let number = 0; texts.length < count; number++)
    if ((murmurHash(`t${String(number)}`, 0) & 1023) === 1023) texts.push(`t${String(number)}`)
  return texts
}

const CROWD = crowd(300)

t.test('owners are found by their texts, whatever was added and removed before', async (t) => {
  const name = fc.oneof(fc.integer({ min: 0, max: 40 }).map(String), fc.constantFrom(...CROWD))
  fc.assert(
    fc.property(fc.array(name, { maxLength: 400 }), (names) => {
      const { finder, add, remove } = start()
      const present = new Set<string>()
      for (const one of names) {
        if (present.delete(one)) remove(one)
        else {
          present.add(one)
          add(one)
        }
      }
      t.equal(finder.size, present.size)
      for (const one of [...names, 'nobody']) t.same(finder.find(one)?.name, present.has(one) ? one : undefined)
    })
  )
})

t.test('texts that all lead to one slot are found and removed like others', async (t) => {
  const { finder, add, remove } = start()
  for (const text of CROWD) add(text)
  t.same(
    CROWD.map((text) => finder.find(text)?.name),
    CROWD
  )
  for (const [at, text] of CROWD.entries()) if (at % 3 !== 0) remove(text)
  t.same(
    CROWD.map((text) => finder.find(text)?.name),
    CROWD.map((text, at) => (at % 3 === 0 ? text : undefined))
  )
  for (const [at, text] of CROWD.entries()) if (at % 3 === 0) remove(text)
  t.equal(finder.size, 0)
})

t.test('an owner is removed without a look at all that stand in a row behind it', async (t) => {
  const { finder, add, remove } = start()
  const row = new Map<number, string>()
  for (let number = 0; row.size < 600; number++) {
    const own = murmurHash(`t${String(number)}`, 0) & 1023
    if (own < 600) row.set(own, `t${String(number)}`)
  }
  for (let own = 0; own < 600; own++) add(row.get(own) as string)
  const { parts } = finder as unknown as { readonly parts: { slots: Int32Array }[] }
  const part = parts[0] as (typeof parts)[number]
  let looks = 0
  part.slots = new Proxy(part.slots, {
    get(slots, name) {
      looks += 1
      return Reflect.get(slots, name) as unknown
    }
  })
  for (let own = 0; own < 5; own++) {
    looks = 0
    remove(row.get(own) as string)
    t.ok(looks < 300, `${String(looks)} looks`)
  }
  t.equal(finder.find(row.get(5) as string)?.name, row.get(5))
})

t.test('owners are found before and after their part is divided', async (t) => {
  const { finder, add, remove } = start()
  const names = Array.from({ length: ONE_PART_MAX + 10 }, (_, at) => `name ${String(at)}`)
  for (const [at, text] of names.entries()) {
    add(text)
    if (at === 1_000) t.match(JSON.stringify(finder), '"crowded":null', 'so many texts that nobody chose need no map')
    if (at % 1_000 === 0) t.equal(finder.find(names[at >> 1] as string)?.name, names[at >> 1])
  }
  t.equal(names.filter((text) => finder.find(text)?.name !== text).length, 0)
  for (const text of names) remove(text)
  t.equal(finder.labelOf(names[0] as string), NO_LABEL)
  finder.clear()
  add('name')
  t.equal(finder.find('name')?.name, 'name')
})
