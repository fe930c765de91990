import fc from 'fast-check'
import t from 'tap'
import { createActivation, createEntry, type Entry } from '../../../actors/runtime/entry.js'
import { createRegistry, type Registry } from '../../../actors/runtime/registry.js'
import { type Address, addressKey } from '../../../src/domain/address.js'

/** Model of a registry: open and closed entries, least recently used first. */
interface Model {
  used: string[]
  /** Entries used by clients, latest last. */
  asked: string[]
  readonly open: Set<string>
}

interface Real {
  readonly registry: Registry
  readonly entries: Map<string, Entry>
}

const addresses: Address[] = ['one', 'two'].flatMap((subject) => ['a', 'b', 'c'].map((id) => ({ kind: 'session', subject, id }) as const))
const addressOf = new Map(addresses.map((address) => [addressKey(address), address]))

function same(model: Model, { registry }: Real): void {
  const check = (what: string, given: unknown, wanted: unknown) => {
    if (JSON.stringify(given) !== JSON.stringify(wanted))
      throw new Error(`${what}: ${JSON.stringify(given)} instead of ${JSON.stringify(wanted)}`)
  }
  check(
    'order',
    [...registry.entries()].map(({ key }) => key),
    model.used
  )
  check('active', registry.activeCount, model.open.size)
  for (const subject of ['one', 'two']) {
    const open = model.used.filter((key) => model.open.has(key)).map((key) => addressOf.get(key))
    const ids = open.filter((address) => address?.subject === subject).map((address) => address?.id)
    check('active ids', [...registry.openOf(subject).keys()], ids)
    check('what is kept of a subject without any', ids.length === 0 ? registry.openOf(subject) === registry.openOf('nobody') : true, true)
    check('most recent', registry.mostRecent(subject)?.address.id, lastAsked(model, subject))
  }
}

function lastAsked({ asked, open }: Model, subject: string): string | undefined {
  const own = asked.filter((key) => open.has(key)).map((key) => addressOf.get(key))
  return own.filter((address) => address?.subject === subject).at(-1)?.id
}

type Use = (model: Model, real: Real, key: string) => void

let askedAtMs = 0

const last = (used: readonly string[], key: string) => [...used.filter((other) => other !== key), key]

const uses: Record<string, Use> = {
  // Catalogs touch an entry when it is added, and an opened one becomes the last of its subject.
  add(model, { registry, entries }, key) {
    if (model.used.includes(key)) return
    model.used.push(key)
    const entry = createEntry(addressOf.get(key) as Address, 0)
    entries.set(key, entry)
    registry.add(entry)
  },
  open(model, { registry, entries }, key) {
    const entry = entries.get(key)
    if (entry === undefined || model.open.has(key)) return
    const activation = createActivation(entry)
    activation.isOpen = true
    entry.activation = activation
    registry.noteOpened(entry)
    registry.touch(entry, 1)
    model.open.add(key)
    model.used = last(model.used, key)
  },
  close(model, { registry, entries }, key) {
    const entry = entries.get(key)
    if (entry === undefined || !model.open.delete(key)) return
    entry.activation = null
    registry.noteClosed(entry)
  },
  ask(model, { entries }, key) {
    const entry = entries.get(key)
    if (entry === undefined) return
    entry.usedAtMs = ++askedAtMs
    model.asked = last(model.asked, key)
  },
  touch(model, { registry, entries }, key) {
    const entry = entries.get(key)
    if (entry === undefined) return
    registry.touch(entry, 2)
    model.used = last(model.used, key)
  },
  remove(model, { registry, entries }, key) {
    const entry = entries.get(key)
    if (entry === undefined || model.open.has(key)) return
    entries.delete(key)
    model.asked = model.asked.filter((other) => other !== key)
    registry.remove(entry)
    model.used = model.used.filter((other) => other !== key)
  }
}

t.test('any sequence of uses agrees with a plain list', async () => {
  const command = fc.constantFrom(...Object.keys(uses)).chain((name) =>
    fc.constantFrom(...addressOf.keys()).map((key) => ({
      check: () => true,
      run(model: Model, real: Real) {
        uses[name]?.(model, real, key)
        same(model, real)
      },
      toString: () => `${name}(${key})`
    }))
  )
  fc.assert(
    fc.property(fc.commands([command], { maxCommands: 80 }), (sequence) => {
      fc.modelRun(
        () => ({ model: { used: [], asked: [], open: new Set<string>() }, real: { registry: createRegistry(), entries: new Map() } }),
        sequence
      )
    }),
    { numRuns: 300 }
  )
})

t.test('a registry tells when it is empty', async (t) => {
  const registry = createRegistry()
  await registry.whenEmpty()
  const entry = createEntry(addresses[0] as Address, 0)
  registry.add(entry)
  let isEmpty = false
  const emptied = registry.whenEmpty().then(() => (isEmpty = true))
  await Promise.resolve()
  t.equal(isEmpty, false)
  registry.remove(entry)
  await emptied
  t.equal(isEmpty, true)
})

t.test('an entry that another one has replaced takes that with it no more', async (t) => {
  const registry = createRegistry()
  const [before, after] = [0, 1].map(() => createEntry(addresses[0] as Address, 0)) as [Entry, Entry]
  registry.add(before)
  registry.add(after)
  registry.remove(before)
  t.equal(registry.get(after.key), after)
  registry.remove(after)
  t.equal(registry.get(after.key), undefined)
})
