/** Working set of a session's step: the state it changes, the journal of its changes, its preparation, and the services. */
import type { ControlReplies, Probe } from '../../../src/domain/commands/control-commands.js'
import type { CoordinationReplies, Exchange, SessionStateView } from '../../../src/domain/commands/coordination-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { readTextAtOnce, type TextReading } from '../../../src/domain/text/reading.js'
import { estimatePromptTokens } from '../../../src/domain/text/token-estimate.js'
import type { Counters, CreateVectorIndex, Embedder, Ids, Logger, Tracer } from '../../../src/ports.js'
import type { Room } from '../../weight/room.js'
import type { Imported } from './document.js'
import type { Journal } from './journal.js'
import type { SessionState } from './state.js'
import type { SessionTies } from './ties.js'

/** Text with its vectors. */
export interface EmbeddedText {
  readonly text: string
  /** End offsets of the parts, ascending; the last one is the length of the text. */
  readonly partEnds: readonly number[]
  /** One unit vector per part, concatenated. */
  readonly vectors: Float32Array
  /** True: the embedder was not available, and the vectors are all zeros. */
  readonly isPending?: true
}

/** Services shared by all sessions of a node. */
export interface SessionServices {
  readonly createVectorIndex: CreateVectorIndex
  readonly ids: Ids
  readonly tracer: Tracer
  readonly counters: Counters
  readonly logger: Pick<Logger, 'warn'>
  readonly monotonicMs: () => number
  /** 0..1; interface, Phases and drift. */
  readonly driftThreshold: number
  /** -1..1: similarity from which a text is an update of a memory. */
  readonly updateThreshold: number
  /** Upper bound on the tokens of a context block. */
  readonly contextTokensMax: number
  /** Upper bound on the memories of a session. */
  readonly memoriesMax: number
  /** Whether records are read back from storage: the words of a memory are then stored with it. */
  readonly storesWords: boolean
  /** Upper bound on the memories of a pack, at most PACKED_MAX; 0: no packs. */
  readonly packedMax: number
  /** Whether every node that may own a session can read packs. While one cannot, none are written. */
  readonly arePacksRead: () => boolean
  /** Whether turns and erasures that name a data subject are written to the audit trail. */
  readonly audits: boolean
}

/** Result of a command's preparation, for its step. */
export interface Prepared {
  /** Null when the command has no text. */
  readonly embedder: Embedder | null
  /** Embedded texts of the command, by text. */
  readonly texts: ReadonlyMap<string, EmbeddedText>
  /** Words of every text that the command may store as a memory or search with, by text. */
  readonly readings: ReadonlyMap<string, TextReading>
  /** Number of distinct words of the held inputs that are to be admitted, by text. */
  readonly wordCounts?: ReadonlyMap<string, number>
  /** Shares that isolation leaves of texts to be stored, by text, as far as computed with the state that the step will find. */
  readonly shares: Map<string, number>
  /** Answers of the session to test embeddings. */
  readonly probes?: readonly Probe[]
  /** Comparison of the session with its reference. */
  readonly verification?: ControlReplies['session.verify']
  /** Export that replaces the session's content. */
  readonly imported?: Imported
  /** State of the session that a transfer reads from. */
  readonly source?: SessionStateView
  /** Answers to the message of the clusters that the session belongs to; none where they were not asked. */
  readonly shared: readonly SharedAnswer[]
  /** Findings of a member, as exchanges. */
  readonly collected?: readonly Exchange[]
  /** Texts to be screened that no live memory holds. */
  readonly screened?: readonly string[]
  /** Memberships that have ended at their clusters, for a deletion of the session or a removal of one. */
  readonly ended: SessionTies['memberships']
  /** `SessionState.removals` before the preparation asked anything. */
  readonly removals: number
}

/** Answer of one cluster. */
export interface SharedAnswer extends Readonly<CoordinationReplies['exchange.match']> {
  /** Membership for which it was asked. */
  readonly membership: SessionTies['memberships'][number]
  /** True: the cluster no longer exists. */
  readonly isGone: boolean
}

export interface Work {
  readonly state: SessionState
  readonly journal: Journal
  readonly prepared: Prepared
  readonly services: SessionServices
  readonly requestId: string
  /** See `StepMeta`. */
  readonly isFresh: boolean
  /** Memory that the step may take. */
  readonly room: Room
  /** Epoch seconds. */
  readonly now: number
  /** Epoch seconds, for the timestamps that the step writes. See `writtenAt`. */
  readonly writtenAt: number
}

/** Throws `busy` if something was removed here since the preparation asked others: their answers may contain what was removed. */
export function refuseWhenOutdated({ state, prepared }: Work): void {
  if (prepared.removals !== state.removals) throw new DomainError('busy', 'Something is being removed from the session at the moment')
}

/** Returns the words of a text, read now if they were not prepared. */
export function readingOf({ prepared }: Pick<Work, 'prepared'>, text: string): TextReading {
  return prepared.readings.get(text) ?? readTextAtOnce(text)
}

/** Returns a part of the preparation that the command needs. Throws where there is none, which is a bug. */
export function needed<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('A command was not prepared before its step')
  return part
}

/** Returns the vectors of a text of the command. */
export function embedded({ prepared }: Work, text: string): EmbeddedText {
  return needed(prepared.texts.get(text))
}

/** Counts the tokens of a text in a prompt, with the embedder's tokenizer where the command has an embedder with one, else by estimate. */
export function tokensOf({ prepared: { embedder } }: Work, text: string): number {
  if (embedder === null) return estimatePromptTokens(text)
  return embedder.promptTokens?.(text) ?? embedder.countTokens(text)
}
