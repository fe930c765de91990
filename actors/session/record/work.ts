/** What a step works with: the state it changes, the journal of its changes, and what it may ask for. */
import type { ControlReplies, Probe } from '../../../src/domain/commands/control-commands.js'
import type { CoordinationReplies, Exchange, SessionStateView } from '../../../src/domain/commands/coordination-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { readTextAtOnce, type TextReading } from '../../../src/domain/text/reading.js'
import { estimateTokens } from '../../../src/domain/text/token-estimate.js'
import type { Counters, CreateVectorIndex, Embedder, Ids, Logger, Tracer } from '../../../src/ports.js'
import type { Room } from '../../weight/room.js'
import type { Imported } from './document.js'
import type { Journal } from './journal.js'
import type { SessionState } from './state.js'

/** One text as its session keeps it. */
export interface EmbeddedText {
  readonly text: string
  /** End offsets of the parts, ascending, the last one the length of the text. */
  readonly partEnds: readonly number[]
  /** One unit vector a part, one after another. */
  readonly vectors: Float32Array
  /** The embedder was away: the vectors are all zeros. */
  readonly isPending?: true
}

/** Shared by all sessions of a node. */
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
  /** Most tokens of a context block. */
  readonly contextTokensMax: number
  /** Memories a session may hold. */
  readonly memoriesMax: number
  /** Whether records are read back: the words of a memory are then stored with it. */
  readonly storesWords: boolean
  /** Memories that are stored in one row, at most PACKED_MAX; 0: each has its own. */
  readonly packedMax: number
  /** Whether every node that may own a session reads such rows; one that does not yet must find none. */
  readonly arePacksRead: () => boolean
  /** Whether turns and erasures that name a data subject are written to the audit trail. */
  readonly audits: boolean
}

/** What was made ready before the step. */
export interface Prepared {
  /** Null when the command names no text. */
  readonly embedder: Embedder | null
  /** By text; every text that the command names is there. */
  readonly texts: ReadonlyMap<string, EmbeddedText>
  /** By text: the words of every text that the command may make a memory of, or ask with. */
  readonly readings: ReadonlyMap<string, TextReading>
  /** By text of a held input that is to be let in: how many distinct words it has. */
  readonly wordCounts?: ReadonlyMap<string, number>
  /** By text: the share that isolation leaves of what is stored, where that was worked out with the state as the step finds it. */
  readonly shares: Map<string, number>
  /** What the session answers test embeddings. */
  readonly probes?: readonly Probe[]
  /** How the session compares with its reference. */
  readonly verification?: ControlReplies['session.verify']
  /** The export that takes its place. */
  readonly imported?: Imported
  /** The state of the session that a transfer takes from. */
  readonly source?: SessionStateView
  /** What the clusters that the session belongs to know of its message. */
  readonly shared?: readonly SharedAnswer[]
  /** What a member had to tell. */
  readonly collected?: readonly Exchange[]
  /** `SessionState.removals` before any of this was asked for. */
  readonly removals: number
}

/** The answer of one cluster. */
export interface SharedAnswer extends Readonly<CoordinationReplies['exchange.match']> {
  readonly clusterId: string
  /** True: there is no such cluster any more. */
  readonly isGone: boolean
}

export interface Work {
  readonly state: SessionState
  readonly journal: Journal
  readonly prepared: Prepared
  readonly services: SessionServices
  readonly requestId: string
  /** Memory that the step may take; undefined: all it likes. */
  readonly room?: Room | undefined
  /** Epoch seconds. */
  readonly now: number
  /** Epoch seconds, of what the step writes. */
  readonly writtenAt: number
}

/** Refuses a step that would take in what others said before something was removed here: it may hold the very thing. */
export function refuseWhenOutdated({ state, prepared }: Work): void {
  if (prepared.removals !== state.removals) throw new DomainError('busy', 'Something is being removed at the moment')
}

/** The words of a text. Read now where they were not prepared, as those of an import are. */
export function readingOf({ prepared }: Pick<Work, 'prepared'>, text: string): TextReading {
  return prepared.readings.get(text) ?? readTextAtOnce(text)
}

/** The vectors of a text of the command. Throws when it was not prepared: a fault of ours. */
export function embedded(work: Work, text: string): EmbeddedText {
  const found = work.prepared.texts.get(text)
  if (found === undefined) throw new Error('a text was not prepared before its step')
  return found
}

/** Tokens of a text, by the embedder's own tokenizer where the command has one. */
export function tokensOf({ prepared }: Work, text: string): number {
  return prepared.embedder?.countTokens(text) ?? estimateTokens(text)
}
