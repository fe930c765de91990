import fc from 'fast-check'
import t from 'tap'
import { createMailbox, type Mailbox, type Perishable } from '../../../actors/runtime/mailbox.js'

interface Item extends Perishable {
  readonly name: number
}

const CAPACITY = 4

/** Plainest model of a mailbox. */
interface Model {
  nowMs: number
  sent: number
  waiting: Item[]
  taken: Item[]
  expired: number[]
}

interface Real {
  readonly mailbox: Mailbox<Item>
  readonly expired: number[]
}

type Command = fc.Command<Model, Real>

function same(model: Model, { mailbox, expired }: Real): void {
  if (mailbox.size() !== model.waiting.length + model.taken.length) throw new Error(`size ${mailbox.size()}`)
  if (expired.join() !== model.expired.join()) throw new Error(`expired ${expired.join()} instead of ${model.expired.join()}`)
}

function expire(model: Model, isMet: (item: Item, index: number) => boolean): void {
  for (const [index, item] of [...model.waiting].entries()) {
    if (item.deadlineAtMs > model.nowMs || !isMet(item, index)) continue
    model.waiting = model.waiting.filter((other) => other !== item)
    model.expired.push(item.name)
  }
}

/** Expires the items before the first one that is still in time, as reading the head of the mailbox does. */
function expireHead(model: Model): void {
  const firstInTime = model.waiting.findIndex(({ deadlineAtMs }) => deadlineAtMs > model.nowMs)
  expire(model, (_, index) => firstInTime === -1 || index < firstInTime)
}

class Offer implements Command {
  constructor(readonly leftMs: number) {}
  check = () => true
  run(model: Model, real: Real): void {
    const item = { name: model.sent++, deadlineAtMs: model.nowMs + this.leftMs }
    const size = () => model.waiting.length + model.taken.length
    let answer = 'accepted'
    if (this.leftMs <= 0) answer = 'expired'
    else {
      if (size() >= CAPACITY) expire(model, () => true)
      if (size() >= CAPACITY) answer = 'full'
      else model.waiting.push(item)
    }
    const given = real.mailbox.offer(item, model.nowMs)
    if (given !== answer) throw new Error(`${given} instead of ${answer}`)
    same(model, real)
  }
  toString = () => `offer(${this.leftMs})`
}

class Take implements Command {
  check = () => true
  run(model: Model, real: Real): void {
    expireHead(model)
    const item = model.waiting.shift()
    if (item !== undefined) model.taken.push(item)
    const given = real.mailbox.take(model.nowMs)
    if (given?.name !== item?.name) throw new Error(`${given?.name} instead of ${item?.name}`)
    same(model, real)
  }
  toString = () => 'take'
}

class Finish implements Command {
  check = (model: Readonly<Model>) => model.taken.length > 0
  run(model: Model, real: Real): void {
    model.taken.shift()
    real.mailbox.finish()
    same(model, real)
  }
  toString = () => 'finish'
}

class Restore implements Command {
  check = (model: Readonly<Model>) => model.taken.length > 0
  run(model: Model, real: Real): void {
    model.waiting = [...model.taken, ...model.waiting]
    real.mailbox.restore(model.taken)
    model.taken = []
    same(model, real)
  }
  toString = () => 'restore'
}

class Wait implements Command {
  constructor(readonly ms: number) {}
  check = () => true
  run(model: Model): void {
    model.nowMs += this.ms
  }
  toString = () => `wait(${this.ms})`
}

t.test('any sequence of uses agrees with a plain list', async () => {
  const commands = fc.commands(
    [
      fc.integer({ min: 0, max: 50 }).map((ms) => new Offer(ms)),
      fc.constant(new Take()),
      fc.constant(new Finish()),
      fc.constant(new Restore()),
      fc.integer({ min: 1, max: 20 }).map((ms) => new Wait(ms))
    ],
    { maxCommands: 60 }
  )
  fc.assert(
    fc.property(commands, (sequence) => {
      const expired: number[] = []
      fc.modelRun(
        () => ({
          model: { nowMs: 0, sent: 0, waiting: [], taken: [], expired: [] },
          real: { expired, mailbox: createMailbox<Item>({ capacity: CAPACITY, expire: ({ name }) => expired.push(name) }) }
        }),
        sequence
      )
    }),
    { numRuns: 300 }
  )
})

t.test('a mailbox full of expired items makes room for one in time', async (t) => {
  const expired: number[] = []
  const mailbox = createMailbox<Item>({ capacity: 1, expire: ({ name }) => expired.push(name) })
  t.equal(mailbox.offer({ name: 1, deadlineAtMs: 10 }, 0), 'accepted')
  t.equal(mailbox.offer({ name: 2, deadlineAtMs: 20 }, 5), 'full')
  t.equal(mailbox.offer({ name: 3, deadlineAtMs: 20 }, 10), 'accepted')
  t.same(expired, [1])
})
