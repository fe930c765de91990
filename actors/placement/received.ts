/**
 * Validation of messages from other nodes, before they are handled. It checks the shape of a message, not its meaning: a node may ask for
 * whatever its clients may, in the name of any subject.
 */
import type { ActorKind, Address } from '../../src/domain/address.js'
import type { HandedRecord, PeerAnswers, PeerQuestion } from '../../src/domain/commands/peer-questions.js'
import { DomainError } from '../../src/domain/errors.js'
import { isObject } from '../../src/domain/json-object.js'
import { isRefusal } from '../../src/domain/refusal.js'
import type { ActorLink, LinkEnd, LiveActor, NodeDescription } from '../../src/domain/nodes/topology.js'
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

/** Forwarded ask as it crosses between nodes. */
export interface Forwarded {
  readonly envelope: AskEnvelope
  /** Incarnation that it is for: no other one of that node accepts it. */
  readonly to: string
  /** Monotonic milliseconds of the receiver in its last heartbeat that the sender heard: the ask is no older than that. */
  readonly beatMs: number
  /** Number of the hop, from 1. */
  readonly hop: number
}

/** Upper bound on the characters of a request id: the longest of the service's own have some 200. */
const REQUEST_ID_LENGTH_MAX = 1_000

/** Upper bound on the characters of a W3C `traceparent`. */
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
    awaitedMs: optional(duration),
    trace: optional(text(TRACE_LENGTH))
  })
})

/** Validates a forwarded ask. Throws DomainError `malformed_payload`. */
export function toForwarded(body: unknown): Forwarded {
  if (!isForwarded(body)) throw malformed()
  const forwarded = body as Forwarded
  const { address, command } = forwarded.envelope
  if (!isCommandTo(address.kind, command)) throw malformed()
  return forwarded
}

/** Validates an answer to an ask. Throws DomainError `internal` for anything else, as for a node that failed. */
export function toAnswer(body: unknown): AskAnswer {
  if (isObject(body) && Object.hasOwn(body, 'refusal') && isRefusal(body['refusal'])) return { refusal: body['refusal'] }
  if (isObject(body) && Object.hasOwn(body, 'reply')) return { reply: body['reply'] }
  throw new DomainError('internal', 'Internal error')
}

/** Validates a question. Throws DomainError `malformed_payload`. */
export function toQuestion(body: unknown): PeerQuestion {
  if (!isObject(body) || typeof body['type'] !== 'string' || !Object.hasOwn(QUESTIONS, body['type'])) throw malformed()
  const { type, ...asked } = body as { readonly type: PeerQuestion['type'] }
  if (!QUESTIONS[type](asked)) throw malformed()
  return body as object as PeerQuestion
}

/** Whether a value has the shape of an answer to questions of this type. */
export function isAnswerTo(type: PeerQuestion['type'], answer: unknown): boolean {
  return ANSWERS[type](answer)
}

/** Whether a value is an outbox message with its sender, both of one subject. */
export function isLoggedMessage(body: unknown): body is LoggedMessage {
  if (!logged(body)) return false
  const { sender, message } = body as LoggedMessage
  return message.to.subject === sender.subject && isCommandTo(message.to.kind, message.command)
}

const ofAddress = fields({ address })
/** Fields of a question without its type. */
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

/** States of machines are not checked: they are only drawn. */
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

function malformed(): DomainError {
  return new DomainError('malformed_payload', 'No node asks like this')
}
