/**
 * The way of an ask to the node that owns its actor. What was certainly not carried out is tried again within the deadline. What an owner
 * may have begun is tried again, once, where its process has ended, under the same request id, by which the next owner tells that it was
 * done already; where that one refuses it, its outcome is unknown, unless it only reads. Likewise of the same owner, where a line was lost
 * that may have taken the ask or its answer along. Where the owner fell silent over it, it is not tried: what hung one node would hang the
 * next one, be it a read. A node that is cut off itself tries nothing again.
 */
import { isRead } from '../../src/domain/commands/commands.js'
import { DomainError, type ErrorCode } from '../../src/domain/errors.js'
import { ASK_AGE_SLACK_MS } from '../../src/domain/limits.js'
import type { NodeName } from '../../src/domain/membership.js'
import type { Bus, Clock, Counters } from '../../src/ports.js'
import { isKeyed } from '../../src/domain/request-keys.js'
import { during, type Spans } from '../../src/spans.js'
import { type AskAnswer, type AskEnvelope, refuse, topicOf } from '../asking/envelope.js'
import { writtenBytes } from '../behaviour/written-size.js'
import type { Admission } from '../scheduling/admission.js'
import type { Membership } from './membership.js'
import { type Forwarded, toAnswer, toForwarded } from './received.js'
import { asksTopic } from './topics.js'

/** Nodes that an ask passes at most: where it came in, and, when those two disagree on the owner, one that the first one took for it. */
const HOPS_MAX = 2

/** Milliseconds before the next try, doubled each time up to the longest; a change among the nodes ends the wait. */
const RETRY_MS_MIN = 20
const RETRY_MS_MAX = 400

/** Tries of an owner that has too much to do, before its refusal is passed on: about 0.3 s. */
const BUSY_TRIES_MAX = 4

/** Processes that may end while they have one ask: two do not by chance, and a third one is not risked. */
const ENDED_OWNERS_MAX = 2

/** Certainly not carried out: nobody was there, or its node or actor is not, or no longer, the one to do it. */
const NOT_DONE: ReadonlySet<ErrorCode> = new Set(['unreachable', 'not_owner', 'draining', 'fenced'])

/** Says what became of the very request, whichever copy of it is refused: it was done, and nothing of it will be again. */
const DEFINITE: ErrorCode = 'answer_gone'

export interface ForwardingOptions {
  /** To the actors of this process. */
  readonly local: Pick<Bus, 'request'>
  /** To other nodes. */
  readonly remote: Pick<Bus, 'request'>
  readonly membership: Pick<
    Membership,
    'self' | 'state' | 'isAwake' | 'ownerOf' | 'beatOf' | 'isPresent' | 'hasEnded' | 'noteUnreachable' | 'onChange'
  >
  /** What is on its way to other nodes counts like what is under way here, and takes turns by subject likewise. */
  readonly admission: Pick<Admission, 'enter'>
  readonly clock: Clock
  readonly counters: Counters
  /** Whether owners tell by a request's id whether it was done. */
  readonly keepsLog: boolean
  /** Default: nobody collects. */
  readonly spans?: Spans | undefined
}

export interface Forwarding extends Pick<Bus, 'request'> {
  /** Answers what another node sent here. */
  receive(body: unknown): Promise<AskAnswer>
}

interface Way {
  /** From 1. */
  readonly hop: number
  /** See `Bus.request`. */
  readonly largeAnswer: ((bytes: number) => void) | undefined
}

interface Attempt {
  readonly answer: AskAnswer
  /** Nobody knows whether it was carried out. */
  readonly isUnknown: boolean
  /** Because a line was lost. */
  readonly isLineLost?: boolean
  /** This node takes nothing more on. */
  readonly isFinal?: boolean
}

export function createForwarding(options: ForwardingOptions): Forwarding {
  const { local, membership, admission, clock } = options

  async function atHome(envelope: AskEnvelope): Promise<Attempt> {
    const answer = await answerOf(local.request(topicOf(envelope.address.kind), envelope, { deadlineMs: envelope.deadlineMs }))
    return { answer, isUnknown: false }
  }

  function abroad(owner: NodeName, envelope: AskEnvelope, { hop, largeAnswer }: Way): Promise<Attempt> {
    const { address, command, deadlineMs } = envelope
    // Handed on a second time, it holds a place at the first node: were it to wait for another one here, two nodes could wait for each
    // other.
    const isInner = envelope.isInner || hop > 1
    const sinceMs = clock.monotonicMs()
    return new Promise((resolve, reject) => {
      admission.enter('forwards', {
        ...{ subject: address.subject, isInner, deadlineMs, bytes: () => writtenBytes(command) },
        entered(leave) {
          const leftMs = Math.max(1, deadlineMs - (clock.monotonicMs() - sinceMs))
          const beatMs = membership.beatOf(owner)
          const forwarded = { envelope: { ...envelope, deadlineMs: leftMs }, to: owner.incarnation, beatMs: beatMs ?? 0, hop }
          // It became another one while this waited.
          const sent =
            beatMs === null
              ? Promise.resolve({ answer: refuse(nobody()), isUnknown: false })
              : sendWithin(options, owner, { forwarded, largeAnswer })
          sent.finally(leave).then(resolve, reject)
        },
        refused: (error) => resolve({ answer: refuse(error), isUnknown: false, isFinal: true })
      })
    })
  }

  function attempt(owner: NodeName | null, envelope: AskEnvelope, largeAnswer: Way['largeAnswer']): Promise<Attempt> {
    if (owner === null || membership.state === 'isolated') return Promise.resolve({ answer: refuse(nobody()), isUnknown: false })
    return owner.incarnation === membership.self.incarnation ? atHome(envelope) : abroad(owner, envelope, { hop: 1, largeAnswer })
  }

  return {
    async request(_topic, body, { deadlineMs, largeAnswer }) {
      const envelope = body as AskEnvelope
      const endsAtMs = clock.monotonicMs() + deadlineMs
      /** When the first try began that may have been carried out. */
      let triedAtMs: number | null = envelope.triedMs === undefined ? null : clock.monotonicMs() - envelope.triedMs
      let busyTries = 0
      let endedOwners = 0
      let lostLines = 0
      const isReading = isRead(envelope.command)
      for (let tries = 1; ; tries++) {
        const startedAtMs = clock.monotonicMs()
        const leftMs = endsAtMs - startedAtMs
        if (leftMs <= 0) return refuse(new DomainError('deadline_passed', 'No answer came in time'))
        const owner = membership.ownerOf(envelope.address)
        const {
          answer,
          isUnknown,
          isLineLost = false,
          isFinal = false
        } = await attempt(
          owner,
          { ...envelope, deadlineMs: leftMs, ...(triedAtMs !== null && !isReading && { triedMs: startedAtMs - triedAtMs }) },
          largeAnswer
        )
        if (!('refusal' in answer)) return answer
        if (isUnknown) triedAtMs ??= startedAtMs
        if (isLineLost) lostLines += 1
        else if (isUnknown && ++endedOwners === ENDED_OWNERS_MAX) return refuse(abandoned())
        const { code } = answer.refusal
        if (code === 'busy') busyTries += 1
        const isHopeless =
          isFinal || isAlone(options, owner, code) || (code === 'busy' && (isAtHome(owner) || busyTries === BUSY_TRIES_MAX))
        // A refusal says that this try was not carried out. The one before it may still be, and change what was refused.
        const isUndecided = endedOwners + lostLines > 0 && code !== DEFINITE && !isReading
        if (isHopeless || !(isUnknown || code === 'busy' || NOT_DONE.has(code)))
          return isUndecided ? refuse(undecided(endedOwners > 0 ? GONE : LINE_LOST, code)) : answer
        options.counters.count({ name: 'retry', reason: code })
        await waitForChange(options, Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (tries - 1), endsAtMs - clock.monotonicMs()))
      }
    },
    async receive(body) {
      const { envelope: sent, to, beatMs, hop } = toForwarded(body)
      // Looked at before anything is done: what was sent to a node that stood still meanwhile is not for the one that it is now.
      const isMeant = membership.isAwake() && to === membership.self.incarnation
      const owner = isMeant ? membership.ownerOf(sent.address) : null
      if (owner === null) return refuse(new DomainError('not_owner', 'Another node owns this'))
      const deadlineMs = leftOf(sent, clock.monotonicMs() - beatMs)
      // Its sender has given it up, and may have been answered by another node.
      if (deadlineMs <= 0) return refuse(new DomainError('deadline_passed', 'This was asked too long ago'))
      const envelope: AskEnvelope = { ...sent, deadlineMs, isForeign: true }
      if (isAtHome(owner)) return (await atHome(envelope)).answer
      if (hop >= HOPS_MAX) return refuse(new DomainError('not_owner', 'Another node owns this'))
      const { answer, isLineLost } = await abroad(owner, envelope, { hop: hop + 1, largeAnswer: undefined })
      return isLineLost === true ? refuse(unknown(LINE_LOST)) : answer
    }
  }

  function isAtHome(owner: NodeName | null): boolean {
    return owner?.incarnation === membership.self.incarnation
  }
}

/** Milliseconds that are left to an ask of that age at most. It has seemed older than it is by up to the slack. */
function leftOf({ deadlineMs }: AskEnvelope, ageMsMax: number): number {
  return deadlineMs - Math.max(0, ageMsMax - ASK_AGE_SLACK_MS)
}

/** Whether waiting cannot help: this node is cut off, or it is the last one and on its way out. */
function isAlone({ membership }: ForwardingOptions, owner: NodeName | null, code: ErrorCode): boolean {
  if (membership.state === 'isolated' || membership.state === 'left') return true
  return code === 'draining' && owner?.incarnation === membership.self.incarnation && membership.state === 'draining'
}

interface Sending {
  readonly forwarded: Forwarded
  readonly largeAnswer: Way['largeAnswer']
}

/** Its span is what the owner's are part of. */
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
  const silent = new AbortController()
  const cutOff = new AbortController()
  let isLineLost = false
  const stop = membership.onChange(() => {
    if (gone.signal.aborted) return
    if (membership.state === 'isolated') cutOff.abort()
    else if (membership.isPresent(owner)) return
    if (!membership.hasEnded(owner)) silent.abort()
    gone.abort()
  })
  const { deadlineMs, command, requestId } = forwarded.envelope
  // Where nobody tells that it was done, it is waited for: its answer is given again over the next line.
  const isRepeatable = keepsLog || isKeyed(requestId) || isRead(command)
  const lineLost = () => void (isLineLost = true)
  const endsAtMs = clock.monotonicMs() + deadlineMs
  try {
    const answer = await answerOf(
      remote
        .request(asksTopic(owner), forwarded, {
          ...{ deadlineMs, signal: gone.signal },
          ...(largeAnswer !== undefined && { largeAnswer }),
          ...(isRepeatable && { lineLost })
        })
        .then(toAnswer)
    )
    const code = 'refusal' in answer ? answer.refusal.code : null
    const isLate = code === 'deadline_passed'
    if (code === 'unreachable') membership.noteUnreachable(owner)
    counters.count({ name: 'forward', outcome: code === null ? 'answered' : isLate ? 'unknown' : 'refused' })
    if (isLate && cutOff.signal.aborted) return { answer: refuse(isRead(command) ? nobody() : unknown(CUT_OFF)), isUnknown: false }
    if (isLate && silent.signal.aborted) return { answer: refuse(abandoned()), isUnknown: false }
    // The owner has ended, or took another node for the owner that ended: the next one is asked whether it was done.
    const isUnknown = isLate && clock.monotonicMs() < endsAtMs
    return { answer, isUnknown, isLineLost: isUnknown && isLineLost }
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

/** Of an ask that may be what its owner fell silent over. */
function abandoned(): DomainError {
  return new DomainError(
    'outcome_unknown',
    'The node that had this stopped answering; what became of it is not known, and it is not tried at another one'
  )
}

/** Why nobody knows what became of an ask. */
const GONE = 'The node that had this is gone'
const LINE_LOST = 'The line to the node that had this was lost'
const CUT_OFF = 'This node was cut off from the one that had this'

function unknown(why: string): DomainError {
  return new DomainError('outcome_unknown', `${why}; whether it was done is not known`)
}

/** Of an ask that was tried again, and refused then. */
function undecided(why: string, code: ErrorCode): DomainError {
  return new DomainError('outcome_unknown', `${unknown(why).message}, and it was refused when it was tried again (${code})`)
}

function nobody(): DomainError {
  return new DomainError('unreachable', 'No node can take this at the moment')
}

async function answerOf(asked: Promise<unknown>): Promise<AskAnswer> {
  try {
    return (await asked) as AskAnswer
  } catch (error) {
    return refuse(error)
  }
}
