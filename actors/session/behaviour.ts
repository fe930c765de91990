/** Behaviour of sessions, which the actor runtime runs. */
import { mindMachine } from '../../machines/mind-machine.js'
import type { ImportSession } from '../../src/domain/commands/control-commands.js'
import type { CreateSession, SessionCommand, SessionReply } from '../../src/domain/commands/session-commands.js'
import { DomainError, notFound } from '../../src/domain/errors.js'
import { DIMENSION_DEFAULT } from '../../src/domain/limits.js'
import type { PolicyVector, SessionSettings } from '../../src/domain/session.js'
import type { Behaviour, StepMeta } from '../behaviour/behaviour.js'
import type { Room } from '../weight/room.js'
import { createSteps } from './perform.js'
import { createPreparations, type PrepareOptions } from './prepare.js'
import { toUnitVector } from './record/embedding.js'
import { initialHead } from './record/head.js'
import { readImport } from './record/imports.js'
import { createJournal } from './record/journal.js'
import { takeLiterals } from './record/literals.js'
import { restoreState, writeGivenVectors } from './record/restore.js'
import { createState, type SessionState } from './record/state.js'
import { toStoredHead } from './record/stored-head.js'
import { NO_TIES } from './record/ties.js'
import { weighDerived, weighRow, weighStored } from './record/weight.js'
import type { Prepared, SessionServices } from './record/work.js'
import { createExpirations } from './reminders/expirations.js'
import { createPendings, hasPending, type Pendings } from './reminders/pendings.js'
import { activePartition } from './sharing/inquiries.js'
import { settle } from './turn/settle.js'

export interface SessionBehaviourOptions extends SessionServices, PrepareOptions {
  /** Default: a new one. */
  readonly pendings?: Pendings
}

type SessionBehaviour = Behaviour<SessionState, SessionCommand, Prepared, SessionReply>

/** Creates the behaviour. One serves every session of a node. */
export function createSessionBehaviour(options: SessionBehaviourOptions): SessionBehaviour {
  const expirations = createExpirations()
  const { pendings = createPendings() } = options
  return {
    kind: 'session',
    chart: { machine: mindMachine, of: ({ mind }) => mind },
    restore: (address, record) => restoreState(address, record, options),
    activated(address, state) {
      expirations.note(address, toStoredHead(state).expiresNext)
      pendings.note(address, state.pending.size)
      takeLiterals(state, options)
    },
    missing(address) {
      pendings.note(address, 0)
      return notFound('Session')
    },
    async initiate(address, command, meta) {
      if (isOfCluster(command)) throw notFound('Cluster')
      // A transfer names two sessions, so the refusal says which one is missing.
      if (command.type === 'state.transfer') throw new DomainError('session_missing', 'Target session not found')
      const settings = await settingsFor(command, options, meta)
      if (settings === null) return null
      const state = createState(address, initialHead(settings), options)
      takeLiterals(state, options)
      const backing = command.type === 'session.create' ? (command.backing ?? null) : null
      state.ties = { ...NO_TIES, backing, madeAt: meta.now, partition: await activePartition(options, address.subject) }
      const journal = createJournal()
      writeGivenVectors(settings, journal.put)
      return { state, changes: journal.changes(toStoredHead(state)) }
    },
    sizeOf: ({ corpus }) => corpus.size,
    weighRow,
    weigh: weighDerived,
    storedWeight: weighStored,
    prepare: createPreparations(options),
    settle,
    step: createSteps(options, { expirations, pendings }),
    dispose(state) {
      expirations.forget(state.address)
      state.literals.evict('put_away')
      state.corpus.close()
    },
    describe({ address, ties }) {
      const source = { kind: 'session', id: address.id } as const
      return {
        links: ties.memberships.map(({ clusterId }) => ({ kind: 'member', source, target: { kind: 'cluster', id: clusterId } }))
      }
    },
    isIrreplaceable: (state) => state !== null && state.ties.backing !== null,
    wakes: hasPending,
    forgetReminders: (address) => pendings.note(address, 0),
    overdue: expirations.overdue,
    reminders: (now) => [
      ...expirations.due(now).map((address) => ({ address, command: { type: 'session.sweep' } as const })),
      ...pendings.due(now).map((address) => ({ address, command: { type: 'session.embed' } as const }))
    ]
  }
}

/** Whether the command is only for the shared session of a cluster. For any other session the cluster counts as missing. */
function isOfCluster(command: SessionCommand): boolean {
  switch (command.type) {
    case 'exchange.collect':
    case 'exchange.unlearn':
    case 'exchange.match':
      return true
    case 'session.run':
    case 'exchange.learn':
      return command.backing !== undefined
    default:
      return false
  }
}

/** Returns the settings of the session that the command may create; null if it may create none. */
async function settingsFor(
  command: SessionCommand,
  options: SessionBehaviourOptions,
  { address, now, room }: StepMeta
): Promise<SessionSettings | null> {
  switch (command.type) {
    case 'session.run':
      return {
        dimension: DIMENSION_DEFAULT,
        modelName: await options.embedders.resolve(undefined),
        useCortex: false,
        enableTopicSwitch: true,
        templateEmbedding: null,
        policyVectors: [],
        createdAt: now
      }
    case 'session.create':
      return { ...vectorsOf(command), modelName: await options.embedders.resolve(command.modelName, address.subject), createdAt: now }
    case 'session.import':
      return importedSettings(command, address.subject, options, room)
    default:
      return null
  }
}

function vectorsOf(command: CreateSession): Omit<SessionSettings, 'modelName' | 'createdAt'> {
  const { dimension, useCortex, enableTopicSwitch, templateEmbedding, policyVectors } = command
  return {
    dimension,
    useCortex,
    enableTopicSwitch,
    templateEmbedding: templateEmbedding === undefined ? null : toUnitVector(templateEmbedding, dimension, ['template_embedding']),
    policyVectors: policyVectors.map(({ embedding, weight, promote }, at): PolicyVector => ({
      embedding: toUnitVector(embedding, dimension, ['policy_vectors', at, 'embedding']),
      weight,
      promote
    }))
  }
}

async function importedSettings(
  command: ImportSession,
  subject: string,
  options: SessionBehaviourOptions,
  room: Room
): Promise<SessionSettings> {
  const { embedders } = options
  const { document, weight } = await readImport(options, subject, command)
  const { settings } = document.head
  // Before the session is created: a refused import leaves nothing.
  room.admit(weight)
  // An export of an embedding model that this service does not offer cannot be restored here.
  if ((await embedders.resolve(settings.modelName, subject)) === settings.modelName) return settings
  throw new DomainError('malformed_payload', 'Malformed session export: it comes from another embedding model')
}
