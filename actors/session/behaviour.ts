/** What a session does with each command: the behaviour that the actor runtime runs. */
import { DomainError } from '../../src/domain/errors.js'
import type { CreateSession, ReplyTo, SessionCommand, SessionReply } from '../../src/domain/session-commands.js'
import { DIMENSION_DEFAULT } from '../../src/domain/limits.js'
import type { PolicyVector, SessionSettings } from '../../src/domain/session.js'
import type { CreateVectorIndex, Embedders } from '../../src/ports.js'
import type { Behaviour, StepResult } from '../behaviour.js'
import { toUnitVector } from './embedding.js'
import { createJournal } from './journal.js'
import { embedTexts } from './prepare.js'
import { createState, initialHead, restoreState, type SessionState } from './state.js'
import { readContext } from './steps/context.js'
import { checkDuplicate } from './steps/dedup-check.js'
import { readMemory } from './steps/memory.js'
import { readMetrics } from './steps/metrics.js'
import { runTurn } from './steps/run.js'
import { searchMemories } from './steps/search.js'
import { storeAnswer } from './steps/store.js'
import type { Prepared, SessionServices, Work } from './work.js'

export interface SessionBehaviourOptions extends SessionServices {
  readonly embedders: Embedders
  readonly createVectorIndex: CreateVectorIndex
}

export type SessionBehaviour = Behaviour<SessionState, SessionCommand, Prepared, SessionReply>

/** One behaviour serves every session of a node. */
export function createSessionBehaviour(options: SessionBehaviourOptions): SessionBehaviour {
  return {
    kind: 'session',
    restore: (address, record) => restoreState(address, record, options),
    missing: () => new DomainError('session_missing', 'Session not found'),
    async initiate(address, command, meta) {
      const settings = await settingsFor(command, { embedders: options.embedders, now: meta.now })
      if (settings === null) return null
      const head = initialHead(settings)
      return { state: createState(address, head, options), changes: createJournal().changes(head) }
    },
    async prepare(state, command, signal) {
      const { dimension, modelName } = state.head.settings
      const texts = textsOf(command)
      // What needs no vector works without the model too: a session can always be read and deleted.
      if (texts.length === 0) return { embedder: null, texts: new Map() }
      const embedder = await options.embedders.get(modelName)
      const embedded = await embedTexts(embedder, texts, { dimension, signal })
      return { embedder, texts: new Map(embedded.map((one) => [one.text, one])) }
    },
    step(state, command, prepared, meta) {
      const before = state.head
      const work: Work = { state, journal: createJournal(), prepared, services: options, now: meta.now }
      const reply = perform(work, command, meta.isFresh)
      const changes = state.head === before ? null : work.journal.changes(state.head)
      return command.type === 'session.delete' ? { reply, changes: null, isRemoval: true } : ({ reply, changes } satisfies StepResult<SessionReply>)
    },
    dispose: (state) => state.corpus.close(),
  }
}

function perform(work: Work, command: SessionCommand, isFresh: boolean): SessionReply {
  switch (command.type) {
    case 'session.create':
      return created(work, isFresh)
    case 'session.delete':
      return { deleted: true } satisfies ReplyTo<typeof command>
    case 'session.run':
      return runTurn(work, command)
    case 'session.store':
      return storeAnswer(work, command)
    case 'session.dedupCheck':
      return checkDuplicate(work, command)
    case 'session.metrics':
      return readMetrics(work)
    case 'session.context':
      return readContext(work, command)
    case 'session.memory':
      return readMemory(work, command)
    case 'session.search':
      return searchMemories(work, command)
  }
}

function created(work: Work, isFresh: boolean): ReplyTo<CreateSession> {
  if (!isFresh) throw new DomainError('already_exists', 'Session already exists')
  return { modelName: work.state.head.settings.modelName }
}

/** The settings of a session that the command may make; null when it may make none. */
async function settingsFor(command: SessionCommand, { embedders, now }: { embedders: Embedders; now: number }): Promise<SessionSettings | null> {
  if (command.type === 'session.run') {
    const modelName = await embedders.resolve(undefined)
    const plain = { useCortex: false, enableTopicSwitch: true, templateEmbedding: null, policyVectors: [] }
    return { ...plain, dimension: DIMENSION_DEFAULT, modelName, createdAt: now }
  }
  if (command.type !== 'session.create') return null
  return {
    dimension: command.dimension,
    modelName: await embedders.resolve(command.modelName),
    useCortex: command.useCortex,
    enableTopicSwitch: command.enableTopicSwitch,
    templateEmbedding: command.templateEmbedding === undefined ? null : toUnitVector(command.templateEmbedding, command.dimension, ['template_embedding']),
    policyVectors: command.policyVectors.map((policy, at): PolicyVector => ({
      embedding: toUnitVector(policy.embedding, command.dimension, ['policy_vectors', at, 'embedding']),
      weight: policy.weight,
      promote: policy.promote,
    })),
    createdAt: now,
  }
}

function textsOf(command: SessionCommand): string[] {
  switch (command.type) {
    case 'session.run':
      return [...new Set([command.message, ...(command.response === undefined ? [] : [command.response])])]
    case 'session.store':
      return [command.response]
    case 'session.dedupCheck':
      return [command.text]
    case 'session.search':
      return command.query === undefined ? [] : [command.query]
    default:
      return []
  }
}
