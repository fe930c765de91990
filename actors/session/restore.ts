/** Rebuilds sessions: from stored rows, and from an export. */
import type { Address } from '../../src/domain/address.js'
import { admit, putEntry } from './entries.js'
import { documentOf, type SessionDocument } from './document.js'
import { ANCHOR, createState, DELTA, ENTITY, HELD, ISOLATION, ISOLATION_ROW, TRIGGER, type SessionState, type StateOptions } from './state.js'
import { hashText } from './hash.js'
import { createTopics } from './topics.js'
import type { Work } from './work.js'

/** Makes the session what the document says, in its state and in the step's commit. The caller has checked it and cleared the journal. */
export function applyDocument(work: Work, document: SessionDocument): void {
  const { state, journal } = work
  state.corpus.clear()
  state.topics = createTopics(document.head.settings.dimension)
  for (const map of [state.anchors, state.triggers, state.deltas, state.held]) map.clear()
  state.longTexts.clear()
  state.expiring.clear()
  state.pending.clear()
  for (const { key } of [...state.literals.all()]) state.literals.remove(key)
  state.head = document.head
  for (const entry of document.memories) putEntry(work, entry)
  fillControls(state, document)
  writeControls(document, journal.put)
}

/** A session restored aside, of no address's record: what a verification compares with. */
export function restoreAside(address: Address, document: SessionDocument, options: StateOptions): SessionState {
  const state = createState(address, document.head, options)
  for (const entry of document.memories) admit(state, entry)
  fillControls(state, document)
  return state
}

/** Writes every row of the session but its memories: what stays when those are wiped. */
export function keepControls(work: Work): void {
  writeControls(documentOf(work.state), work.journal.put)
}

function fillControls(state: SessionState, document: SessionDocument): void {
  for (const anchor of document.anchors) state.anchors.set(anchor.id, anchor)
  for (const trigger of document.triggers) state.triggers.set(trigger.id, trigger)
  for (const delta of document.deltas) state.deltas.set(delta.id, delta)
  for (const input of document.held) state.held.set(input.id, input)
  for (const entity of document.entities) state.literals.put(entity)
  state.isolation = document.isolation
}

function writeControls(document: Omit<SessionDocument, 'memories' | 'head'>, put: (collection: string, id: string, body: unknown) => void): void {
  for (const anchor of document.anchors) put(ANCHOR, anchor.id, anchor)
  for (const trigger of document.triggers) put(TRIGGER, trigger.id, trigger)
  for (const delta of document.deltas) put(DELTA, delta.id, delta)
  for (const input of document.held) put(HELD, input.id, input)
  for (const entity of document.entities) put(ENTITY, hashText(entity.key), entity)
  put(ISOLATION, ISOLATION_ROW, document.isolation)
}
