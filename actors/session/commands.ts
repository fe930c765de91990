/**
 * Commands of a session. Each entry holds all that is particular to one command: the session that it makes where there is none, what it
 * asks before its step, the texts that it brings, what it adds to the record, and its step. What happens to all of them is in behaviour.ts,
 * prepare.ts, growth.ts, settle.ts and perform.ts.
 */
import type { Exchange } from '../../src/domain/commands/coordination-commands.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type { SessionCommand } from '../../src/domain/commands/session-commands.js'
import { minus, plus, sumOf, type Weight, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import { atOnce, type Pieces } from '../../src/domain/pieces.js'
import type { SessionSettings } from '../../src/domain/session.js'
import type { Embedders } from '../../src/ports.js'
import type { InitiateMeta, PrepareMeta } from '../behaviour/behaviour.js'
import type { Room } from '../weight/room.js'
import type { GivenMemory } from './recall/twins.js'
import { MEMORY, PACKED, STATS } from './record/head.js'
import { type ImportOptions, prepareImport } from './record/imports.js'
import type { SessionState } from './record/state.js'
import { isTied, type SessionTies } from './record/ties.js'
import { entityWeight, type Growing, heldWeight, memoryWeight, ROW, vectorWeight } from './record/weight.js'
import { embedded, needed, type Prepared, type Work } from './record/work.js'
import { countWords } from './reading.js'
import { collectedFindings, referenceProbes, sourceState } from './sharing/inquiries.js'
import { endedMemberships, leaveAll, refuseWhileUntold, type SagaOptions } from './sharing/sagas.js'
import { readAnchorScore, setAnchor } from './steps/anchor.js'
import { readContext } from './steps/context.js'
import { readDays } from './steps/days.js'
import { embedPending, pendingTexts } from './steps/embed.js'
import { listEntities, putEntity, removeEntity } from './steps/entities.js'
import { editMemory } from './steps/edit.js'
import { eraseUser } from './steps/erase.js'
import { collectFindings, halvesOf, learnExchanges, matchExchanges, readFindings, unlearnMemories } from './steps/exchange.js'
import { ingestMemories, injectMemory } from './steps/ingest.js'
import { releaseHeld, setIsolation } from './steps/isolation.js'
import { created, defaultSettings, deleted, givenSettings, importedSettings, sweepSession } from './steps/life.js'
import { addMembership, removeMembership } from './steps/membership.js'
import { deleteMemory, listMemories, readMemory } from './steps/memories.js'
import { readMetrics } from './steps/metrics.js'
import { runTurn } from './steps/run.js'
import { screenTexts, textsToScreen } from './steps/screen.js'
import { searchMemories } from './steps/search.js'
import { blendState, readState, transferState } from './steps/state.js'
import { storeAnswer } from './steps/store.js'
import { exportSession, importSession } from './steps/transfer.js'
import { clearTriggers, setTrigger } from './steps/trigger.js'
import { lookForUpdate } from './turn/take.js'
import { tracedTurn } from './turn/turn-trace.js'
import { probes, verification } from './verification.js'

export interface PrepareOptions extends Omit<SagaOptions, 'askAnew'>, ImportOptions {
  readonly monotonicMs: () => number
  readonly embedders: Embedders
}

/** A session under preparation for a command. */
export interface Preparing {
  readonly options: PrepareOptions & SagaOptions
  readonly state: SessionState
  readonly signal: AbortSignal
  readonly room: Room
  /** Epoch seconds. */
  readonly now: number
  /** Runs work in pieces, in turns with that of other subjects. */
  readonly inPieces: <Result>(work: Pieces<Result>) => Promise<Result>
}

/** Parts of the preparation that only some commands have. */
type Asked = Partial<Prepared>

interface Definition<C extends SessionCommand> {
  /** Settings of the session that it makes where there is none. Default: it makes none. */
  readonly settings?: (options: PrepareOptions, command: C, meta: InitiateMeta) => Promise<SessionSettings>
  /** Refuses it before its preparation, and before its step. */
  readonly refuse?: (meta: Pick<PrepareMeta, 'isUntold'>) => void
  /** Collects what the step needs of other actors, which it may change first, and of long computations on the session itself. */
  readonly inquire?: (preparing: Preparing, command: C) => Promise<Asked>
  /** Texts whose vectors the step needs. Default: none. */
  readonly texts?: (command: C, state: SessionState, asked: Asked) => readonly string[]
  /** Texts whose words the step needs. Default: those of `texts`. */
  readonly words?: (command: C) => readonly string[]
  /** True: it fails without the vectors of its texts. Default: texts that cannot be embedded are pending. */
  readonly needsVectors?: true
  /** Memories that it adds, unless they are there. */
  readonly given?: (command: C) => readonly GivenMemory[]
  /** Upper bound on what else it adds to the record, as far as known before the step. Default: nothing. */
  readonly growth?: (growing: Growing, command: C) => Weight
  /** Weight that it frees before it adds anything. Default: nothing. */
  readonly frees?: (command: C, room: Room) => Weight
  /** True: the isolation shares of its texts are computed in pieces before the step. */
  readonly isBulk?: true
  /** Whether it is only for the shared session of a cluster. For any other session the cluster counts as missing. Default: it is not. */
  readonly isOfCluster?: (command: C) => boolean
  /** Whether its step may post outbox messages. Default: it may not. */
  readonly tells?: (ties: SessionTies) => boolean
  /** Runs the command to its end, in pieces. A refusal leaves the session unchanged. */
  readonly step: (work: Work, command: C) => Pieces<ReplyOf<C>>
}

/** Makes the step of a command that takes too little time to be divided. */
function short<C extends SessionCommand>(step: (work: Work, command: C) => ReplyOf<C>): Definition<C>['step'] {
  return (work, command) => atOnce(() => step(work, command))
}

const always = () => true
const none = () => []

const COMMANDS: { readonly [Type in SessionCommand['type']]: Definition<Extract<SessionCommand, { readonly type: Type }>> } = {
  'session.create': { settings: givenSettings, step: short(created) },
  'session.delete': {
    refuse: refuseWhileUntold,
    inquire: async ({ options, state }, command) => ({ ended: await leaveAll(options, state, command) }),
    step: short(deleted)
  },
  'session.run': {
    settings: defaultSettings,
    texts: ({ message, response }) => (response === undefined ? [message] : [message, response]),
    growth: (growing, { message, response }) =>
      plus(ROW, memoryWeight(growing, message), response === undefined ? WEIGHTLESS : memoryWeight(growing, response)),
    frees: ({ resetContext }, room) => (resetContext ? plus(room.of(MEMORY), room.of(PACKED), room.of(STATS)) : WEIGHTLESS),
    isOfCluster: ({ backing }) => backing !== undefined,
    tells: isTied,
    step: (work, command) => tracedTurn(work, runTurn(work, command))
  },
  'session.store': {
    texts: ({ response }) => [response],
    growth: (growing, { response }) => memoryWeight(growing, response),
    tells: isTied,
    step: storeAnswer
  },
  'session.dedupCheck': {
    texts: ({ text }) => [text],
    words: none,
    step: (work, { text, dedupThreshold }) => lookForUpdate(work, embedded(work, text), { threshold: dedupThreshold })
  },
  'session.context': { step: readContext },
  'session.search': { texts: ({ query }) => (query === undefined ? [] : [query]), step: searchMemories },
  'session.memory': { step: readMemory },
  'session.metrics': { step: readMetrics },
  'session.days': { step: short(readDays) },
  'session.export': { step: exportSession },
  'session.import': {
    settings: importedSettings,
    inquire: async ({ options, ...preparing }, command) => ({ imported: await prepareImport(options, { command, ...preparing }) }),
    step: importSession
  },
  'session.sweep': { step: sweepSession },
  'session.embed': { texts: (_, state) => pendingTexts(state), tells: ({ backing }) => backing !== null, step: short(embedPending) },
  'session.verify': {
    async inquire({ options, inPieces, state, now, room }, command) {
      const reference = await referenceProbes(options, state, command)
      return { verification: await inPieces(verification({ state, now, services: options, room }, command, reference)) }
    },
    step: short(({ prepared }) => needed(prepared.verification))
  },
  'session.probe': {
    inquire: async ({ options, inPieces, state, now, room }, { testEmbeddings }) => ({
      probes: await inPieces(probes({ state, now, services: options, room }, testEmbeddings))
    }),
    step: short(({ prepared }) => ({ probes: needed(prepared.probes) }))
  },
  'user.erase': { step: eraseUser },
  'trigger.set': {
    growth: ({ state }, { embedding, keyword = '' }) =>
      plus(embedding === undefined ? WEIGHTLESS : vectorWeight(state), weightOf(keyword), ROW),
    step: setTrigger
  },
  'trigger.clear': { step: short(clearTriggers) },
  'anchor.set': {
    texts: ({ text }) => (text === undefined ? [] : [text]),
    words: none,
    needsVectors: true,
    growth: ({ state }, { text = '' }) => plus(vectorWeight(state), weightOf(text), ROW),
    step: short(setAnchor)
  },
  'anchor.score': { step: short(readAnchorScore) },
  'isolation.set': {
    growth: ({ state }, { exclusionEmbeddings, allowlistEmbeddings }) => {
      const count = exclusionEmbeddings.length + allowlistEmbeddings.length
      return minus({ heap: VECTOR_HEAP * count, buffers: vectorWeight(state).buffers * count }, weightOf(state.isolation))
    },
    step: setIsolation
  },
  'isolation.release': {
    // Held inputs are read one by one as they are admitted: the words of all of them may exceed the memory.
    inquire: async ({ inPieces, state, room }) => ({ wordCounts: await inPieces(countWords(state.held.values(), room)) }),
    growth: (growing) => sumOf([...growing.state.held.values()].map((input) => heldWeight(growing, input))),
    tells: isTied,
    step: releaseHeld
  },
  'isolation.screen': {
    inquire: async ({ inPieces, state, now }, command) => ({ screened: await inPieces(textsToScreen(state, command, now)) }),
    texts: (_command, _state, { screened = [] }) => screened,
    words: none,
    step: screenTexts
  },
  'memory.inject': {
    texts: ({ text, embedding }) => (embedding === undefined ? [text] : []),
    words: ({ text }) => [text],
    growth: (growing, { text }) => memoryWeight(growing, text),
    step: injectMemory
  },
  'memory.ingest': {
    texts: ({ memories }) => memories.map(({ text }) => text),
    given: ({ memories }) => memories,
    isBulk: true,
    step: ingestMemories
  },
  'memory.edit': { step: editMemory },
  'memory.delete': { tells: isTied, step: deleteMemory },
  'memory.list': { step: listMemories },
  'entity.list': { words: ({ query }) => [query], step: listEntities },
  'entity.put': {
    growth: ({ state }, command) => minus(entityWeight({ context: null, ...command }), entityWeight(state.literals.get(command.key))),
    step: short(putEntity)
  },
  'entity.remove': { step: short(removeEntity) },
  'state.read': { step: short(readState) },
  'state.blend': { growth: deltaWeight, step: short(blendState) },
  'state.transfer': {
    inquire: async ({ options, state }, command) => ({ source: await sourceState(options, state, command) }),
    growth: deltaWeight,
    step: short(transferState)
  },
  'membership.add': { step: short(addMembership) },
  'membership.remove': {
    inquire: async ({ options, state }, command) => ({ ended: await endedMemberships(options, state, command) }),
    step: short(removeMembership)
  },
  'exchange.read': { step: short(readFindings) },
  'exchange.learn': {
    texts: ({ exchanges }) => textsOf(exchanges),
    given: ({ exchanges }) => exchanges.flatMap(halvesOf),
    isBulk: true,
    isOfCluster: ({ backing }) => backing !== undefined,
    step: learnExchanges
  },
  'exchange.collect': {
    inquire: async ({ options, state }, command) => ({ collected: await collectedFindings(options, state, command) }),
    texts: (_command, _state, { collected = [] }) => textsOf(collected),
    growth: (growing) => sumOf([...growing.texts.keys()].map((text) => memoryWeight(growing, text))),
    isBulk: true,
    isOfCluster: always,
    step: collectFindings
  },
  'exchange.unlearn': { isOfCluster: always, step: unlearnMemories },
  'exchange.match': { texts: ({ message }) => [message], isOfCluster: always, step: matchExchanges }
}

/** Returns the definition of a command. */
export function definitionOf({ type }: SessionCommand): Definition<SessionCommand> {
  // The compiler cannot tell that the entry takes the command.
  return COMMANDS[type] as Definition<SessionCommand>
}

function textsOf(exchanges: readonly Exchange[]): string[] {
  return exchanges.flatMap(({ question, answer }) => (question === null ? [answer] : [question, answer]))
}

/** Heap of one of several vectors in a list. */
const VECTOR_HEAP = 200

function deltaWeight({ state }: Growing): Weight {
  return plus(vectorWeight(state), ROW)
}
