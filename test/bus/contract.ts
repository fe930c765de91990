/** Contract of every bus, whatever its transport. */
import t, { type Test } from 'tap'
import { DomainError } from '../../src/domain/errors.js'
import type { Bus } from '../../src/ports.js'
import { codeOf } from '../support/runtime.js'

export interface OpenBus {
  readonly bus: Bus
  /** Another bus connected with it; the same one if there is only one. */
  readonly other: Bus
  /** Resolves once `other` can reach what `bus` serves and subscribes to. */
  readonly settled: () => Promise<void>
}

type Case = (t: Test, opened: OpenBus) => Promise<void>

const CASES: Readonly<Record<string, Case>> = {
  'a request gets its handler’s answer': async (t, { bus, other, settled }) => {
    bus.serve('engram.nodes.a.first.double', async (body) => Number(body) * 2)
    await settled()
    t.equal(await other.request('engram.nodes.a.first.double', 21, { deadlineMs: 5_000 }), 42)
  },
  'requests at the same time get each its own answer': async (t, { bus, other, settled }) => {
    const waiting: ((value: number) => void)[] = []
    const hold = (body: unknown) =>
      new Promise((resolve) => {
        waiting[Number(body)] = resolve
        if (Object.keys(waiting).length === 3) for (const [index, answer] of waiting.entries()) answer(index * 10)
      })
    bus.serve('engram.nodes.a.first.hold', hold)
    await settled()
    const answers = [2, 0, 1].map((body) => other.request('engram.nodes.a.first.hold', body, { deadlineMs: 5_000 }))
    t.same(await Promise.all(answers), [20, 0, 10])
  },
  'a refusal by the handler reaches the caller with code, message and field': async (t, { bus, other, settled }) => {
    bus.serve('engram.nodes.a.first.refuse', () => Promise.reject(new DomainError('invalid_input', 'Too long', { loc: ['body', 0] })))
    await settled()
    const refused = other.request('engram.nodes.a.first.refuse', null, { deadlineMs: 5_000 })
    await t.rejects(refused, { name: 'DomainError', code: 'invalid_input', message: 'Too long', loc: ['body', 0] })
  },
  'a request that nobody serves, or serves no longer, is unreachable': async (t, { bus, other, settled }) => {
    t.equal(await codeOf(other.request('engram.nodes.a.first.nobody', 1, { deadlineMs: 5_000 })), 'unreachable')
    const stop = bus.serve('engram.nodes.a.first.somebody', async () => 1)
    stop()
    stop()
    await settled()
    t.equal(await codeOf(other.request('engram.nodes.a.first.somebody', 1, { deadlineMs: 5_000 })), 'unreachable')
    bus.serve('engram.nodes.a.first.somebody', async () => 2)
    await settled()
    t.equal(await other.request('engram.nodes.a.first.somebody', 1, { deadlineMs: 5_000 }), 2)
  },
  'a request without an answer in time is over': async (t, { bus, other, settled }) => {
    bus.serve('engram.nodes.a.first.silent', () => new Promise(() => undefined))
    await settled()
    const message = 'No answer came in time; whether it was done is not known'
    await t.rejects(other.request('engram.nodes.a.first.silent', 1, { deadlineMs: 50 }), { code: 'deadline_passed', message })
  },
  'a topic has one handler': async (t, { bus }) => {
    bus.serve('engram.nodes.a.first.one', async () => 1)
    t.throws(() => bus.serve('engram.nodes.a.first.one', async () => 2))
  },
  'what is published reaches every listener of its topic in order, and none that stopped': async (t, { bus, other, settled }) => {
    const heard: string[] = []
    bus.subscribe('engram.other', () => heard.push('wrong'))
    const stop = bus.subscribe('engram.news', (body) => heard.push(`first ${String(body)}`))
    let waiting: (body: unknown) => void = () => {}
    const second = (wanted: number) =>
      new Promise<void>((resolve) => {
        waiting = (body) => {
          if (body === wanted) resolve()
        }
      })
    bus.subscribe('engram.news', (body) => {
      heard.push(`second ${String(body)}`)
      waiting(body)
    })
    await settled()
    const heardTwo = second(2)
    other.publish('engram.news', 1)
    other.publish('engram.news', 2)
    await heardTwo
    stop()
    stop()
    await settled()
    const heardThree = second(3)
    other.publish('engram.nobody', 4)
    other.publish('engram.news', 3)
    await heardThree
    t.same(
      heard.filter((line) => line.startsWith('first')),
      ['first 1', 'first 2']
    )
    t.same(
      heard.filter((line) => !line.startsWith('first')),
      ['second 1', 'second 2', 'second 3']
    )
  },
  'a closed bus closes again and reaches nobody': async (t, { bus }) => {
    bus.serve('engram.nodes.a.first.one', async () => 1)
    await bus.close()
    await bus.close()
    t.equal(await codeOf(bus.request('engram.nodes.a.first.one', 1, { deadlineMs: 1_000 })), 'unreachable')
    bus.publish('engram.news', 1)
  }
}

/** Runs the contract. `open` opens a bus for each case, and closes it with the test. */
export function busContract(name: string, open: (t: Test) => Promise<OpenBus>): void {
  for (const [title, run] of Object.entries(CASES)) {
    t.test(`${name}: ${title}`, async (t) => {
      await run(t, await open(t))
    })
  }
}
