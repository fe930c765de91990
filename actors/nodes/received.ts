/**
 * What other nodes sent, looked at before anything is done with it. A node is held to the shape of what it says, not to its meaning: it
 * may ask for whatever its clients may, in the name of any subject.
 */
import type { ActorCommand } from '../delivery.js'
import type { AskAnswer, AskEnvelope } from '../envelope.js'
import type { ActorKind, Address } from '../../src/domain/address.js'
import { DomainError } from '../../src/domain/errors.js'
import type { PeerQuestion } from '../../src/domain/peer-questions.js'
import { isRefusal } from '../../src/domain/refusal.js'

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

type Fields = Readonly<Record<string, unknown>>

const KINDS: Readonly<Record<ActorKind, true>> = { session: true, cluster: true, region: true, observer: true, network: true }

/** Characters of a command's type and of a request's id: the longest of ours are some 30 and 200. */
const TYPE_LENGTH_MAX = 100
const REQUEST_ID_LENGTH_MAX = 1_000

/** Throws DomainError `malformed_payload`. */
export function toForwarded(body: unknown): Forwarded {
  if (!isFields(body) || !isFields(body['envelope'])) throw malformed()
  const { hop, to, beatMs, envelope } = body
  const { address, command, requestId, deadlineMs, triedMs, isInner } = envelope
  const isAsk = isAddress(address) && isCommand(command) && isText(requestId, REQUEST_ID_LENGTH_MAX) && typeof isInner === 'boolean'
  if (!isAsk || !isDuration(deadlineMs) || !(triedMs === undefined || isDuration(triedMs)) || !(hop === 1 || hop === 2)) throw malformed()
  if (!isText(to, REQUEST_ID_LENGTH_MAX) || typeof beatMs !== 'number' || !(beatMs >= 0)) throw malformed()
  return { hop, to, beatMs, envelope: { ...(envelope as object as AskEnvelope), address: plain(address) } }
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
  if (!QUESTIONS[body['type'] as PeerQuestion['type']](body)) throw malformed()
  return body as object as PeerQuestion
}

/** Whether that can be the answer to such a question. */
export function isAnswerTo(type: PeerQuestion['type'], answer: unknown): boolean {
  return ANSWERS[type](answer)
}

/** Whether that is a letter with its sender, both of one subject. */
export function isLetter(body: unknown): boolean {
  if (!isFields(body) || !isFields(body['letter']) || !isAddress(body['sender'])) return false
  const { id, to, command } = body['letter']
  return isText(id, REQUEST_ID_LENGTH_MAX) && isAddress(to) && to.subject === body['sender'].subject && isCommand(command)
}

const isNothing = (value: unknown) => value === null
const isOfSubject = ({ subject }: Fields) => typeof subject === 'string'
const isOfKind = (fields: Fields) => isOfSubject(fields) && isKind(fields['kind'])
const isOfAddress = ({ address }: Fields) => isAddress(address)

const QUESTIONS: Readonly<Record<PeerQuestion['type'], (question: Fields) => boolean>> = {
  'node.ping': () => true,
  'actors.active': isOfKind,
  'sessions.last': isOfSubject,
  'sessions.passivate': (fields) => isOfSubject(fields) && isTexts(fields['ids']),
  'texts.forget': () => true,
  'ticket.redeem': ({ hash }) => typeof hash === 'string',
  'record.take': isOfAddress,
  'record.peek': isOfAddress,
  'records.list': (fields) => isOfKind(fields) && Number.isSafeInteger(fields['limit']) && (fields['after'] === undefined || typeof fields['after'] === 'string'),
  'node.describe': isOfSubject
}

const ANSWERS: Readonly<Record<PeerQuestion['type'], (answer: unknown) => boolean>> = {
  'node.ping': isNothing,
  'actors.active': isTexts,
  'sessions.last': (answer) => answer === null || (isFields(answer) && typeof answer['id'] === 'string' && isDuration(answer['idleMs'])),
  'sessions.passivate': isNothing,
  'texts.forget': isNothing,
  'ticket.redeem': (answer) => answer === null || typeof answer === 'string',
  'record.take': (answer) => answer === null || (isFields(answer) && Array.isArray(answer['rows']) && answer['rows'].every(isRow)),
  'record.peek': (answer) => answer === null || (isFields(answer) && Object.hasOwn(answer, 'head')),
  'records.list': isTexts,
  'node.describe': (answer) => isFields(answer) && typeof answer['nodeId'] === 'string' && Array.isArray(answer['supervisors']) && Array.isArray(answer['live'])
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown, lengthMax: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= lengthMax
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** Milliseconds. */
function isDuration(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isKind(value: unknown): value is ActorKind {
  return typeof value === 'string' && Object.hasOwn(KINDS, value)
}

function isAddress(value: unknown): value is Address {
  return isFields(value) && isKind(value['kind']) && typeof value['subject'] === 'string' && typeof value['id'] === 'string'
}

function isCommand(value: unknown): value is ActorCommand {
  return isFields(value) && isText(value['type'], TYPE_LENGTH_MAX)
}

function isRow(value: unknown): boolean {
  return isFields(value) && typeof value['collection'] === 'string' && typeof value['id'] === 'string'
}

function plain({ kind, subject, id }: Address): Address {
  return { kind, subject, id }
}

function malformed(): DomainError {
  return new DomainError('malformed_payload', 'No node asks like this')
}
