/** Clients of the nodes: each sends a request, waits for the answer or for the end of its node, and retries where it may. */
import type { Address } from '../../src/domain/address.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import { type ErrorCode, isDomainError } from '../../src/domain/errors.js'
import { keyedRequestId } from '../../src/domain/request-keys.js'
import { NODES } from './plan.js'
import type { World } from './world.js'

const SUBJECT = 'alice'

/** Deadline of a command in milliseconds; shorter than the service's own, so that a simulation ends sooner. */
const DEADLINE_MS = 15_000

/** Most milliseconds by which an answer may come after the deadline: clocks differ, and answers travel. */
const ANSWER_MS_MAX = 1_500

/** Back-off in milliseconds: doubles with each retry up to the maximum. */
const PAUSE_MS_MIN = 50
const PAUSE_MS_MAX = 800

/** Milliseconds after which a client gives up. */
const PATIENCE_MS = 60_000

const LATENCY_MS = 1

export type Answer<Reply> =
  | { readonly is: 'answered'; readonly reply: Reply }
  | { readonly is: 'refused'; readonly code: ErrorCode }
  /** The node ended before it answered. */
  | { readonly is: 'silent' }

export interface Clients {
  /** Number of calls that wait for an answer. */
  readonly waiting: number
  /**
   * Sends one request to the first node that listens, from `entry` on. With an idempotency key it is retried until its outcome is known.
   */
  ask<C extends Command>(address: Address, command: C, how: { readonly entry: number; readonly key?: string }): Promise<Answer<ReplyOf<C>>>
  /** Retries until it is answered or refused with one of `accepted`. Throws if that takes longer than PATIENCE_MS. */
  insist<C extends Command>(
    address: Address,
    command: C,
    how: { readonly entry: number; readonly accepted?: readonly ErrorCode[] }
  ): Promise<ReplyOf<C> | null>
}

/** Refusals that tell a client for certain what became of its request. */
const KNOWN: ReadonlySet<ErrorCode> = new Set([
  'session_missing',
  'cluster_missing',
  'region_missing',
  'member_missing',
  'already_exists',
  'in_use',
  'answer_gone',
  'invalid_input'
])

function isKnown(answer: Answer<unknown>): boolean {
  return answer.is === 'answered' || (answer.is === 'refused' && KNOWN.has(answer.code))
}

export function createClients(world: World): Clients {
  const { scheduler, failures } = world
  let waiting = 0

  const passed = (ms: number) => new Promise<void>((resolve) => void scheduler.after(ms, resolve))

  /** Null if no process listens there. */
  function send<C extends Command>(node: string, address: Address, command: C, requestId?: string): Promise<Answer<ReplyOf<C>>> | null {
    const process = world.processOf(node)
    const actors = world.nodeOf(node)
    if (process === undefined || actors === undefined || !/^(running|draining)$/.test(actors.node.state)) return null
    waiting += 1
    return new Promise((resolve) => {
      let isSettled = false
      const settle = (answer: Answer<ReplyOf<C>>): void => {
        if (isSettled) return
        isSettled = true
        waiting -= 1
        resolve(answer)
      }
      process.whenEnded(() => settle({ is: 'silent' }))
      scheduler.after(LATENCY_MS, () =>
        process.arrive(() => {
          const sinceMs = scheduler.nowMs - process.pausedMs()
          const answered = (answer: Answer<ReplyOf<C>>): void => {
            const tookMs = scheduler.nowMs - process.pausedMs() - sinceMs
            if (tookMs > DEADLINE_MS + ANSWER_MS_MAX) failures.push(`${process.name} answered ${command.type} after ${String(tookMs)} ms`)
            if (process.isAlive) scheduler.after(LATENCY_MS, () => settle(answer))
          }
          actors.ask(address, command, { deadlineMs: DEADLINE_MS, requestId: requestId ?? process.ids.uuid() }).then(
            (reply) => answered({ is: 'answered', reply }),
            (error: unknown) => {
              if (!isDomainError(error) || error.code === 'internal')
                failures.push(`${process.name} failed over ${command.type}: ${String(error)}`)
              answered({ is: 'refused', code: isDomainError(error) ? error.code : 'internal' })
            }
          )
        })
      )
    })
  }

  async function sendAnywhere<C extends Command>(
    first: number,
    { address, command, requestId }: { readonly address: Address; readonly command: C; readonly requestId?: string }
  ): Promise<Answer<ReplyOf<C>> | null> {
    for (let at = 0; at < NODES.length; at++) {
      const asked = send(NODES[(first + at) % NODES.length] ?? '', address, command, requestId)
      if (asked !== null) return asked
    }
    return null
  }

  async function ask<C extends Command>(
    address: Address,
    command: C,
    { entry, key }: { readonly entry: number; readonly key?: string }
  ): Promise<Answer<ReplyOf<C>>> {
    const untilMs = scheduler.nowMs + PATIENCE_MS
    const requestId = key === undefined ? {} : { requestId: keyedRequestId({ subject: SUBJECT, sessionId: address.id, key }, command) }
    for (let tries = 0; ; tries++) {
      const answer = await sendAnywhere(entry + tries, { address, command, ...requestId })
      if (answer !== null && (key === undefined || isKnown(answer))) return answer
      if (scheduler.nowMs > untilMs) return answer ?? { is: 'refused', code: 'unreachable' }
      await passed(Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** tries))
    }
  }

  return {
    get waiting() {
      return waiting
    },
    ask,
    async insist(address, command, { entry, accepted = [] }) {
      const untilMs = scheduler.nowMs + PATIENCE_MS
      for (let tries = 0; ; tries++) {
        const answer = await ask(address, command, { entry: entry + tries })
        if (answer.is === 'answered') return answer.reply
        if (answer.is === 'refused' && accepted.includes(answer.code)) return null
        if (scheduler.nowMs > untilMs)
          throw new Error(`${command.type} of ${address.id} is not answered: ${answer.is === 'refused' ? answer.code : answer.is}`)
        await passed(PAUSE_MS_MIN)
      }
    }
  }
}

export function addressOf(kind: Address['kind'], id: string): Address {
  return { kind, subject: SUBJECT, id }
}
