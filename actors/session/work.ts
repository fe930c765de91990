/** What a step works with: the state it changes, the journal of its changes, and what it may ask for. */
import type { Embedder, Ids, Tracer } from '../../src/ports.js'
import type { Journal } from './journal.js'
import type { EmbeddedText } from './prepare.js'
import type { SessionState } from './state.js'

/** Shared by all sessions of a node. */
export interface SessionServices {
  readonly ids: Ids
  readonly tracer: Tracer
  readonly monotonicMs: () => number
  /** 0..1; interface, Phases and drift. */
  readonly driftThreshold: number
  /** -1..1: similarity from which a text is an update of a memory. */
  readonly updateThreshold: number
  /** Most tokens of a context block. */
  readonly contextTokensMax: number
  /** Memories a session may hold. */
  readonly memoriesMax: number
}

/** What was made ready before the step. */
export interface Prepared {
  /** Null when the command names no text. */
  readonly embedder: Embedder | null
  /** By text; every text that the command names is there. */
  readonly texts: ReadonlyMap<string, EmbeddedText>
}

export interface Work {
  readonly state: SessionState
  readonly journal: Journal
  readonly prepared: Prepared
  readonly services: SessionServices
  /** Epoch seconds. */
  readonly now: number
}

/** The vectors of a text of the command. Throws when it was not prepared: a fault of ours. */
export function embedded(work: Work, text: string): EmbeddedText {
  const found = work.prepared.texts.get(text)
  if (found === undefined) throw new Error('a text was not prepared before its step')
  return found
}
