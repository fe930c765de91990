/**
 * What other nodes sent, looked at before anything is done with it. A node is held to the shape of what it says, not to its meaning: it
 * may ask for whatever its clients may, in the name of any subject.
 */
import type { ActorKind, Address } from '../../src/domain/address.js'
import type { HandedRecord, PeerAnswers, PeerQuestion } from '../../src/domain/commands/peer-questions.js'
import { DomainError } from '../../src/domain/errors.js'
import { isRefusal } from '../../src/domain/refusal.js'
import type { ActorLink, LinkEnd, LiveActor, NodeDescription } from '../../src/domain/topology.js'
import type { AskAnswer, AskEnvelope } from '../asking/envelope.js'
import type { OutboxMessage } from '../behaviour/behaviour.js'
import type { ActorCommand } from '../behaviour/delivery.js'
import type { LoggedMessage } from '../messaging/relay.js'
import { isCommandTo } from './command-shapes.js'
import {
  anything,
  fields,
  flag,
  integer,
  list,
  LIST_MAX,
  name,
  names,
  nullable,
  number,
  one,
  optional,
  type Shape,
  text
} from './shapes.js'

/** What crosses between nodes. */
export interface Forwarded {
  readonly envelope: AskEnvelope
  /** The incarnation that it is for: no other one of that node takes it. */
  readonly to: string
  /** Monotonic milliseconds of that node, as the sender has heard them last: the ask is not older than that. */
  readonly beatMs: number
  /** From 1. */
  readonly hop: number
}

/** Characters of a request's id: the longest of ours are some 200. */
const REQUEST_ID_LENGTH_MAX = 1_000

/** Characters of a W3C `traceparent`. */
const TRACE_LENGTH = 55

const requestId: Shape<string> = (value) => typeof value === 'string' && value.length > 0 && value.length <= REQUEST_ID_LENGTH_MAX
const kind = one<ActorKind>('session', 'cluster', 'region', 'observer', 'network')
/** Milliseconds. */
const duration = number(0)
const nothing: Shape<null> = (value) => value === null
const address = fields<Address>({ kind, subject: name, id: name })
const ofSubject = { subject: name }

const isForwarded = fields<Forwarded>({
  envelope: fields<AskEnvelope>({
    address,
    command: anything as Shape<ActorCommand>,
    requestId,
    deadlineMs: duration,
    triedMs: optional(duration),
    isRepeated: optional(flag),
    isInner: flag,
    trace: optional(text(TRACE_LENGTH)),
    isForeign: optional(flag)
  }),
  to: requestId,
  beatMs: number(0),
  hop: one(1, 2)
})
const logged = fields<LoggedMessage>({
  sender: address,
  message: fields<OutboxMessage>({
    id: requestId,
    to: address,
    command: anything as Shape<OutboxMessage['command']>,
    isAwaited: flag,
    trace: optional(text(TRACE_LENGTH))
  })
})

/** Throws DomainError `malformed_payload`. */
export function toForwarded(body: unknown): Forwarded {
  if (!isForwarded(body)) throw malformed()
  const forwarded = body as Forwarded
  const { address, command } = forwarded.envelope
  if (!isCommandTo(address.kind, command)) throw malformed()
  return forwarded
}

/** Likewise for an answer to an ask: what is none is a refusal as of a node that failed. */
export function toAnswer(body: unknown): AskAnswer {
  if (isFields(body) && Object.hasOwn(body, 'refusal') && isRefusal(body['refusal'])) return { refusal: body['refusal'] }
  if (isFields(body) && Object.hasOwn(body, 'reply')) return { reply: body['reply'] }
  throw new DomainError('internal', 'Internal error')
}

/** Throws DomainError `malformed_payload`. */
export function toQuestion(body: unknown): PeerQuestion {
  if (!isFields(body) || typeof body['type'] !== 'string' || !Object.hasOwn(QUESTIONS, body['type'])) throw malformed()
  const { type, ...asked } = body as { readonly type: PeerQuestion['type'] }
  if (!QUESTIONS[type](asked)) throw malformed()
  return body as object as PeerQuestion
}

/** Whether that can be the answer to such a question. */
export function isAnswerTo(type: PeerQuestion['type'], answer: unknown): boolean {
  return ANSWERS[type](answer)
}

/** Whether that is an outbox message with its sender, both of one subject. */
export function isLoggedMessage(body: unknown): body is LoggedMessage {
  if (!logged(body)) return false
  const { sender, message } = body as LoggedMessage
  return message.to.subject === sender.subject && isCommandTo(message.to.kind, message.command)
}

const ofAddress = fields({ address })
/** What a question says beside its type. */
type AskedBy<Type, Question = PeerQuestion> = Question extends { readonly type: infer Types }
  ? Type extends Types
    ? Omit<Question, 'type'>
    : never
  : never

const QUESTIONS: { readonly [Type in PeerQuestion['type']]: Shape<AskedBy<Type>> } = {
  'node.ping': fields({}),
  'actors.active': fields({ ...ofSubject, kind }),
  'sessions.last': fields(ofSubject),
  'sessions.passivate': fields({ ...ofSubject, ids: names }),
  'texts.forget': fields<AskedBy<'texts.forget'>>({ subject: optional(name) }),
  'ticket.redeem': fields({ hash: name }),
  'record.take': ofAddress,
  'record.peek': ofAddress,
  'records.list': fields<AskedBy<'records.list'>>({ ...ofSubject, kind, limit: integer(0, LIST_MAX), after: optional(name) }),
  'node.describe': fields(ofSubject),
  'actor.describe': ofAddress
}

/** The states of machines are drawn, whatever they are. */
const end = fields<LinkEnd>({ kind, id: name })
const link = fields<ActorLink>({ kind: one('member', 'backing', 'attached', 'registered'), source: end, target: end })
const live = fields<LiveActor>({ kind, id: name, machines: anything as Shape<LiveActor['machines']>, links: list(link, LIST_MAX) })
const described: Shape<NodeDescription> = fields<NodeDescription>({
  nodeId: name,
  state: name,
  supervisors: list(fields<NodeDescription['supervisors'][number]>({ kind, state: name }), LIST_MAX),
  live: list(live, LIST_MAX),
  more: integer(0, Number.MAX_SAFE_INTEGER)
})

const row = fields<HandedRecord['rows'][number]>({ collection: name, id: name, body: anything })
const ANSWERS: { readonly [Type in PeerQuestion['type']]: Shape<PeerAnswers[Type]> } = {
  'node.ping': nothing,
  'actors.active': names,
  'sessions.last': nullable(fields<NonNullable<PeerAnswers['sessions.last']>>({ id: name, idleMs: duration })),
  'sessions.passivate': nothing,
  'texts.forget': nothing,
  'ticket.redeem': nullable(name),
  'record.take': nullable(fields<HandedRecord>({ head: anything, rows: list(row, LIST_MAX) })),
  'record.peek': nullable(fields<NonNullable<PeerAnswers['record.peek']>>({ head: anything })),
  'records.list': names,
  'node.describe': described,
  'actor.describe': nullable(live)
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function malformed(): DomainError {
  return new DomainError('malformed_payload', 'No node asks like this')
}
