/**
 * Forwards asks to the node that owns their actor, and decides what follows a failed try:
 * - It certainly did not run: it is retried within the deadline.
 * - Its owner may have begun it, and then the owner's process ended, or the connection of either node was lost: it is retried, after an
 *   ended process once, under the same request id, by which an owner recognises what was done already. If the retry is refused, the outcome
 *   is unknown, unless the command only reads.
 * - Its owner fell silent: it is not retried, not even a read, as a command that hung one node might hang the next.
 * - This node is cut off itself: nothing is retried.
 */
import { isRead } from '../../src/domain/commands/commands.js'
import { deadlinePassed, DomainError, type ErrorCode, late } from '../../src/domain/errors.js'
import { ASK_AGE_SLACK_MS } from '../../src/domain/limits.js'
import type { NodeName } from '../../src/domain/nodes/membership.js'
import type { Bus, Clock, Counters } from '../../src/ports.js'
import { isKeyed } from '../../src/domain/request-keys.js'
import { during, type Spans } from '../../src/spans.js'
import { type AskAnswer, type AskEnvelope, refuse, topicOf } from '../asking/envelope.js'
import { writtenBytes } from '../behaviour/written-size.js'
import type { Admission } from '../scheduling/admission.js'
import type { Membership } from './membership.js'
import { type Forwarded, toAnswer, toForwarded } from './received.js'
import { asksTopic } from './topics.js'
import {
  abandoned,
  answerAfter,
  codeOf,
  CUT_OFF,
  LINE_LOST,
  outcomeUnknown,
  attemptsBefore,
  type Attempt,
  unreachable,
  withAttempt
} from './attempt-history.js'

/** Upper bound on the hops of an ask: to the supposed owner, and from there on to another node if the two disagree on the owner. */
const HOPS_MAX = 2

/** Back-off in milliseconds, doubled with each try up to the longest. A change among the nodes ends the wait. */
const RETRY_MS_MIN = 20
const RETRY_MS_MAX = 400

interface ForwardingOptions {
  /** Bus to the actors of this process. */
  readonly local: Pick<Bus, 'request'>
  /** Bus to other nodes. */
  readonly remote: Pick<Bus, 'request'>
  readonly membership: Pick<
    Membership,
    | 'self'
    | 'state'
    | 'isCutOff'
    | 'isAwake'
    | 'ownerOf'
    | 'beatOf'
    | 'connectionsOf'
    | 'isPresent'
    | 'hasEnded'
    | 'noteUnreachable'
    | 'onChange'
  >
  /** Bounds forwarded asks, and orders them by subject, as it does for asks to actors of this node. */
  readonly admission: Pick<Admission, 'enter'>
  readonly clock: Clock
  readonly counters: Counters
  /** Whether owners log every request, and so recognise a repeated one by its id. */
  readonly keepsLog: boolean
  /** Collector of spans. Default: none. */
  readonly spans?: Spans | undefined
}

export interface Forwarding extends Pick<Bus, 'request'> {
  /** Answers an ask that another node has forwarded. */
  receive(body: unknown): Promise<AskAnswer>
}

interface Hop {
  /** From 1. */
  readonly hop: number
  /** See `Bus.request`. */
  readonly largeAnswer: ((bytes: number) => void) | undefined
}

export function createForwarding(options: ForwardingOptions): Forwarding {
  const { local, membership, admission, clock } = options

  async function askLocal(envelope: AskEnvelope): Promise<Attempt> {
    const answer = await answerOf(local.request(topicOf(envelope.address.kind), envelope, { deadlineMs: envelope.deadlineMs }))
    return { answer, fate: 'told' }
  }

  function askRemote(owner: NodeName, envelope: AskEnvelope, { hop, largeAnswer }: Hop): Promise<Attempt> {
    const { address, command, deadlineMs } = envelope
    // A second hop holds a permit at the first node. If it waited for one here too, two nodes could wait for each other.
    const isInner = envelope.isInner || hop > 1
    const sinceMs = clock.monotonicMs()
    return new Promise((resolve, reject) => {
      admission.enter('forwards', {
        subject: address.subject,
        deadlineMs,
        isInner,
        bytes: () => writtenBytes(command),
        entered(leave) {
          const leftMs = Math.max(1, deadlineMs - (clock.monotonicMs() - sinceMs))
          const beatMs = membership.beatOf(owner)
          const forwarded = { envelope: { ...envelope, deadlineMs: leftMs }, to: owner.incarnation, beatMs: beatMs ?? 0, hop }
          // A null `beatMs`: the owner was replaced by another incarnation while this waited.
          const sent =
            beatMs === null
              ? Promise.resolve<Attempt>({ answer: refuse(unreachable()), fate: 'told' })
              : sendWithin(options, owner, { forwarded, largeAnswer })
          sent.finally(leave).then(resolve, reject)
        },
        refused: (error) => resolve({ answer: refuse(error), fate: 'kept_out' })
      })
    })
  }

  function attempt(owner: NodeName | null, envelope: AskEnvelope, largeAnswer: Hop['largeAnswer']): Promise<Attempt> {
    if (owner !== null && isLocal(owner) && membership.state !== 'isolated') return askLocal(envelope)
    if (owner === null || membership.isCutOff) return Promise.resolve({ answer: refuse(unreachable()), fate: 'told' })
    return askRemote(owner, envelope, { hop: 1, largeAnswer })
  }

  return {
    async request(_topic, body, { deadlineMs, largeAnswer }) {
      const envelope = body as AskEnvelope
      const endsAtMs = clock.monotonicMs() + deadlineMs
      const isReading = isRead(envelope.command)
      let tries = attemptsBefore(envelope.triedMs === undefined ? null : clock.monotonicMs() - envelope.triedMs)
      for (let waitMs = RETRY_MS_MIN; ; waitMs = Math.min(RETRY_MS_MAX, 2 * waitMs)) {
        const startedAtMs = clock.monotonicMs()
        const leftMs = endsAtMs - startedAtMs
        if (leftMs <= 0) return refuse(tries.unknownSinceMs === null ? deadlinePassed() : late())
        const owner = membership.ownerOf(envelope.address)
        const { unknownSinceMs } = tries
        const isRepeated = unknownSinceMs !== null && !isReading
        const sent = { ...envelope, deadlineMs: leftMs, ...(isRepeated && { triedMs: startedAtMs - unknownSinceMs }) }
        const tried = await attempt(owner, sent, largeAnswer)
        const code = codeOf(tried.answer)
        if (code === null) return tried.answer
        tries = withAttempt(tries, tried, startedAtMs)
        const answer = answerAfter(tries, tried, { code, isReading, isHopeless: isHopeless(owner, code) })
        if (answer !== null) return answer
        options.counters.count({ name: 'retry', reason: code })
        await waitForChange(options, Math.min(waitMs, endsAtMs - clock.monotonicMs()))
      }
    },
    async receive(body) {
      const { envelope: sent, to, beatMs, hop } = toForwarded(body)
      // Checked first: an ask that was sent before this node stood still is not for its new incarnation.
      const isMeant = membership.isAwake() && to === membership.self.incarnation
      const owner = isMeant ? membership.ownerOf(sent.address) : null
      if (owner === null) return refuse(new DomainError('not_owner', 'Another node owns this'))
      const deadlineMs = leftOf(sent, clock.monotonicMs() - beatMs)
      // Its sender has given up, and may have been answered by another node.
      if (deadlineMs <= 0) return refuse(new DomainError('deadline_passed', 'The request is too old'))
      const envelope: AskEnvelope = { ...sent, deadlineMs, isForeign: true }
      if (isLocal(owner)) return (await askLocal(envelope)).answer
      if (hop >= HOPS_MAX) return refuse(new DomainError('not_owner', 'Another node owns this'))
      const { answer, fate } = await askRemote(owner, envelope, { hop: hop + 1, largeAnswer: undefined })
      return fate === 'line_lost' ? refuse(outcomeUnknown(LINE_LOST)) : answer
    }
  }

  function isLocal(owner: NodeName | null): boolean {
    return owner?.incarnation === membership.self.incarnation
  }

  /** Whether a retry cannot help: this node is cut off or has left, or it is the owner itself and is busy or draining. */
  function isHopeless(owner: NodeName | null, code: ErrorCode): boolean {
    const { state } = membership
    if (membership.isCutOff || state === 'left') return true
    return isLocal(owner) && (code === 'busy' || (code === 'draining' && state === 'draining'))
  }
}

/** Returns the milliseconds left of an ask's deadline, given the upper bound on its age, which overestimates by up to the slack. */
function leftOf({ deadlineMs }: AskEnvelope, ageMsMax: number): number {
  return deadlineMs - Math.max(0, ageMsMax - ASK_AGE_SLACK_MS)
}

interface Sending {
  readonly forwarded: Forwarded
  readonly largeAnswer: Hop['largeAnswer']
}

/** Sends within a span, the parent of the owner's spans. */
function sendWithin(options: ForwardingOptions, owner: NodeName, sending: Sending): Promise<Attempt> {
  const { forwarded } = sending
  const { envelope, hop } = forwarded
  const attributes = { 'engram.hop': hop, 'engram.node.id': owner.nodeId }
  return during({ spans: options.spans, name: 'forward', kind: 'client', parent: envelope.trace, attributes }, ({ trace }) => {
    const traced = trace === undefined ? forwarded : { ...forwarded, envelope: { ...envelope, trace } }
    return send(options, owner, { ...sending, forwarded: traced })
  })
}

async function send(
  { remote, membership, counters, clock, keepsLog }: ForwardingOptions,
  owner: NodeName,
  { forwarded, largeAnswer }: Sending
): Promise<Attempt> {
  const gone = new AbortController()
  const seen: { loss: 'cut_off' | 'ended' | 'silent' | null; isLineLost: boolean } = { loss: null, isLineLost: false }
  const { deadlineMs, command, requestId } = forwarded.envelope
  // Where the owner could not recognise a repetition, wait on: after a reconnect the owner sends the answer again.
  const isRepeatable = keepsLog || isKeyed(requestId) || isRead(command)
  const connections = membership.connectionsOf(owner)
  const stop = membership.onChange(() => {
    if (gone.signal.aborted) return
    if (membership.isCutOff) seen.loss = 'cut_off'
    else if (!membership.isPresent(owner)) seen.loss = membership.hasEnded(owner) ? 'ended' : 'silent'
    // The owner's line was lost, with this ask perhaps. Answers that were lost with it have come again before the heartbeat that tells.
    else if (isRepeatable && membership.connectionsOf(owner) !== connections) seen.isLineLost = true
    else return
    gone.abort()
  })
  const lineLost = () => void (seen.isLineLost = true)
  const endsAtMs = clock.monotonicMs() + deadlineMs
  try {
    const answer = await answerOf(
      remote
        .request(asksTopic(owner), forwarded, {
          deadlineMs,
          signal: gone.signal,
          largeAnswer,
          lineLost: isRepeatable ? lineLost : undefined
        })
        .then(toAnswer)
    )
    const code = codeOf(answer)
    const isLate = code === 'deadline_passed'
    if (code === 'unreachable') membership.noteUnreachable(owner)
    counters.count({ name: 'forward', outcome: code === null ? 'answered' : isLate ? 'unknown' : 'refused' })
    if (!isLate) return { answer, fate: 'told' }
    if (seen.loss === 'cut_off') return { answer: refuse(isRead(command) ? unreachable() : outcomeUnknown(CUT_OFF)), fate: 'told' }
    if (seen.loss === 'silent') return { answer: refuse(abandoned()), fate: 'told' }
    // Before the deadline: the owner ended, or the node that it passed the ask on to. The next owner is asked whether the ask was done.
    if (clock.monotonicMs() >= endsAtMs) return { answer, fate: 'told' }
    return { answer, fate: seen.isLineLost ? 'line_lost' : 'owner_ended' }
  } finally {
    stop()
  }
}

/** Resolves after `delayMs`, or when the nodes change before that. */
async function waitForChange({ membership, clock }: ForwardingOptions, delayMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      cancel()
      stop()
      resolve()
    }
    const cancel = clock.after(delayMs, done)
    const stop = membership.onChange(done)
  })
}

async function answerOf(asked: Promise<unknown>): Promise<AskAnswer> {
  try {
    return (await asked) as AskAnswer
  } catch (error) {
    return refuse(error)
  }
}
