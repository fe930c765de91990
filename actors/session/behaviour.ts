/** Behaviour of sessions, which the actor runtime runs. */
import { mindMachine } from '../../machines/mind-machine.js'
import type { SessionCommand, SessionReply } from '../../src/domain/commands/session-commands.js'
import { DomainError, notFound } from '../../src/domain/errors.js'
import type { Behaviour } from '../behaviour/behaviour.js'
import { definitionOf, type PrepareOptions } from './commands.js'
import { createSteps } from './perform.js'
import { createPreparations } from './prepare.js'
import { initialHead } from './record/head.js'
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
import { settle } from './settle.js'

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
      const { isOfCluster, settings: settingsOf } = definitionOf(command)
      if (isOfCluster?.(command) === true) throw notFound('Cluster')
      // A transfer names two sessions, so the refusal says which one is missing.
      if (command.type === 'state.transfer') throw new DomainError('session_missing', 'Target session not found')
      if (settingsOf === undefined) return null
      const settings = await settingsOf(options, command, meta)
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
