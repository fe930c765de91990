/** Effects of the lifecycle machine: reads, changes, commits, removes and releases an actor's record. */
import { fromPromise } from 'xstate'
import { kindMachines } from '../../machines/kinds.js'
import type { Creation, Rehydration } from '../../machines/lifecycle.js'
import type { Address } from '../../src/domain/address.js'
import { DomainError, hasCode, takenOver } from '../../src/domain/errors.js'
import type { RecordChanges, WriteToken } from '../../src/ports.js'
import { during, type Spans } from '../../src/spans.js'
import { fromStorage } from '../../src/time-limit.js'
import { chartLogic } from '../behaviour/state-chart.js'
import { traceActor } from '../behaviour/trace.js'
import { writtenBytes } from '../behaviour/written-size.js'
import { OUTBOX } from '../messaging/outbox.js'
import { processorOf } from '../scheduling/processor.js'
import { read, rehydrate, requireAwake } from './activate.js'
import type { Actors } from './actors.js'
import { type FirstState, makeFirst } from './create.js'
import { type Activation, createActivation, type Entry, giveUpJobs, releasePermit } from './entry.js'
import { close, leaveRecord, tellCap, tellSubjectCap } from './eviction.js'
import type { Jobs } from './jobs.js'
import { type Batch, beginWrite, releaseWritten, withdraw } from './output-gate.js'

/**
 * Provides the machine of the behaviour's kind with its effects, for every actor of the kind. `opening` is called before the waiting
 * commands of an activated entry run, and may put others in front of them.
 */
export function createLifecycleLogic(actors: Actors, jobs: Jobs, opening: (entry: Entry) => void) {
  const { options: host, registry } = actors
  const { storage, logger, tracer } = host
  const { kind, chart } = host.behaviour
  const noteFenced = (error: unknown): void => {
    if (hasCode(error, 'fenced')) host.fenced()
  }
  return kindMachines[kind].provide({
    actors: {
      reading: fromPromise(({ input, signal }) => read(actors, activationOf(input), signal)),
      rehydration: fromPromise(({ input, signal }) => rehydrate(actors, activationOf(input), signal)),
      creation: fromPromise(async ({ input, signal }) => {
        const made = await makeFirst({ actors, jobs }, activationOf(input), signal)
        return made === null ? 'missing' : storeFirst(actors, activationOf(input), { ...made, signal })
      }),
      removal: fromPromise(async ({ input }) => {
        const { entry, gate, life } = activationOf(input)
        if (life === null) return
        try {
          await beginWrite(gate, true, ({ left }) => fromStorage(storage.remove(entry.address, life.token, left), host))
        } catch (error) {
          noteFenced(error)
          throw error
        }
      }),
      release: fromPromise(async ({ input }) => {
        const { entry, life } = activationOf(input)
        if (life !== null) await fromStorage(storage.release(entry.address, life.token), host)
      }),
      ...(chart !== undefined && {
        chart: chartLogic(chart.machine, (activation) => chart.of((activation as Activation).life?.state)) as never
      })
    },
    actions: {
      reportActivation: ({ context }) => traceActor(tracer, 'actor.activating', activationOf(context).entry.address),
      reportRehydration: ({ context }, rehydration) => reportRehydration(actors, activationOf(context).entry, rehydration),
      releasePermit: ({ context }) => releasePermit(activationOf(context)),
      openMailbox: ({ context }) => {
        const activation = activationOf(context)
        const { entry } = activation
        activation.isOpen = true
        registry.noteOpened(entry)
        traceActor(tracer, 'actor.activated', entry.address)
        opening(entry)
        jobs.pump(entry)
        tellCap(actors)
        tellSubjectCap(actors, entry)
      },
      closeMailbox: ({ context }) => close(actors, activationOf(context)),
      beginCommit: ({ context, self }) => {
        commit(actors, activationOf(context)).then(
          () => self.send({ type: 'commit.finish' }),
          (error: unknown) => {
            noteFenced(error)
            self.send({ type: 'commit.fail', error })
          }
        )
      },
      releaseReplies: ({ context }) => releaseWritten(activationOf(context).gate),
      putAway: ({ context, self }) => {
        const activation = putAway(actors, activationOf(context))
        self.send(activation === null ? { type: 'actor.forget' } : { type: 'actor.revive', activation })
      },
      reportReleaseFailure: (_, { error }) => {
        if (!hasCode(error, 'fenced')) logger.warn({ err: error }, 'An evicted record could not be released')
      }
    }
  })
}

/** Casts a machine's opaque handle to the activation: the catalog makes both, in one place. */
function activationOf(holder: { readonly activation: object }): Activation {
  return holder.activation as Activation
}

/** Writes what the output gate has gathered, or verifies that the record is still this writer's where there are only reads. */
async function commit(actors: Actors, { entry: { address }, gate, life }: Activation): Promise<void> {
  if (life === null) return
  const { options: host } = actors
  const written = beginWrite(gate, false, (batch) =>
    batch.changes.steps === 0
      ? inSpan(host.spans, batch, () => verify(actors, address, life.token))
      : write(actors, batch, { address, call: (changes) => host.storage.commit(address, life.token, changes) })
  )
  if (written !== null) life.token = await written
}

/** Rounds of reading and creating before giving up. Each lost round means that another writer created and removed the record meanwhile. */
const CREATE_ROUNDS_MAX = 3

/** Writes the record that a command has made, and releases the command's reply. */
async function storeFirst(
  actors: Actors,
  activation: Activation,
  { life, epoch, signal }: FirstState & { readonly signal: AbortSignal }
): Promise<Creation> {
  const { behaviour, storage } = actors.options
  const { entry, gate } = activation
  const { address } = entry
  try {
    requireAwake(actors.options)
    const token = await beginWrite(gate, false, async (batch) => {
      const created = await write(actors, batch, { address, call: (changes) => storage.create(address, changes, epoch) })
      if (created === null) throw takenOver()
      return created
    })
    // The actor was stopped before the write.
    if (token === null || signal.aborted) behaviour.dispose?.(life.state)
    if (token !== null) activation.life = Object.assign(life, { token })
    releaseWritten(gate)
    return 'made'
  } catch (error) {
    behaviour.dispose?.(life.state)
    if (!hasCode(error, 'fenced') || signal.aborted || gate.writing === null) throw error
    // Another writer has created the record first: the command runs on that one.
    for (const delivery of withdraw(gate)) entry.mailbox?.putBack(delivery)
    activation.rounds += 1
    if (activation.rounds === CREATE_ROUNDS_MAX) throw new DomainError('fenced', 'Another writer keeps making and removing this record')
    return 'overtaken'
  }
}

async function verify({ options: host }: Actors, address: Address, token: WriteToken): Promise<WriteToken> {
  if (await fromStorage(host.storage.verify(address, token), host)) return token
  throw takenOver()
}

interface Writing<Result> {
  readonly address: Address
  readonly call: (changes: RecordChanges) => Promise<Result>
}

/** Writes the changes of a batch with a call of storage, bounded in time, and traces it. */
function write<Result>({ options: host }: Actors, batch: Batch, { address, call }: Writing<Result>): Promise<Result> {
  return inSpan(host.spans, batch, async () => {
    const { clock, tracer, relay } = host
    const changes = batch.changes.merged()
    const startedMs = clock.monotonicMs()
    // The processor schedules the synchronous part: storage encodes the changes before it waits.
    const written = processorOf(clock).take(address.subject, () => fromStorage(call(changes), host))
    const result = await written.catch((error: unknown) => {
      // The write may have succeeded all the same: the record then holds outbox messages that this node does not know of.
      if (!hasCode(error, 'fenced') && changes.put.some(({ collection }) => collection === OUTBOX)) relay.wake(address)
      throw error
    })
    if (tracer.isEnabled) {
      const { head, put, remove } = changes
      const sizes = { rowsPut: put.length, rowsRemoved: remove.length, bytes: writtenBytes([head, put]) }
      traceActor(tracer, 'store.written', address, { ...sizes, durationMs: clock.monotonicMs() - startedMs })
    }
    return result
  })
}

/** Runs a write in a span; without a collector in none. The span is part of the first held reply's trace, and links to all others'. */
function inSpan<Result>(spans: Spans | undefined, batch: Batch, work: () => Promise<Result>): Promise<Result> {
  if (spans === undefined) return work()
  const [parent, ...links] = batch.held.flatMap(({ delivery: { trace } }) => trace ?? [])
  return during({ spans, name: 'storage commit', kind: 'client', parent, links }, work)
}

/** Drops an evicted actor's state. Returns its next activation if commands wait for it, else null. */
function putAway(actors: Actors, activation: Activation): Activation | null {
  const { entry } = activation
  dropState(actors, activation)
  traceActor(actors.options.tracer, 'actor.evicted', entry.address)
  leaveRecord(actors, entry, { hasFailed: false })
  const { mailbox } = entry
  if (entry.activation === null || mailbox === null || mailbox.size() === 0 || actors.supervisor === null) return null
  entry.activation = createActivation(entry, activation.ref)
  return entry.activation
}

/** Drops the state of an actor. Its commands that have not run go back to the mailbox. */
export function dropState({ options: { behaviour } }: Actors, activation: Activation): void {
  giveUpJobs(activation)
  if (activation.life !== null) behaviour.dispose?.(activation.life.state)
  activation.life = null
}

function reportRehydration({ options }: Actors, { address }: Entry, { size, durationMs }: Rehydration): void {
  const { behaviour, tracer, logger, counters } = options
  const { kind } = behaviour
  traceActor(tracer, 'actor.rehydrated', address, { size, durationMs })
  counters.count({ name: 'rehydration', kind, size, durationMs })
  logger.info({ kind, size, durationMs }, 'An actor was brought back from storage')
}
