/** The nodes and their environment: starts, stops, kills and restarts processes as machines and their process managers do. */
import { createChance } from '../torture/chance.js'
import type { Around, Bug } from './bugs.js'
import { createJournal, type Journal } from './journal.js'
import { createNetwork, type Network } from './network.js'
import type { Plan } from './plan.js'
import { createScheduler, type Scheduler } from './scheduler.js'
import { createSharedStorage, type SharedStorage } from './shared-storage.js'
import { createNodeOf, type SimulatedNode } from './simulated-node.js'
import { createProcess, type MachineTime, type SimulatedProcess } from './simulated-process.js'
import { createStory, type Story } from './story.js'

export interface World {
  readonly scheduler: Scheduler
  readonly story: Story
  readonly journal: Journal
  readonly network: Network
  readonly storage: SharedStorage
  /** Descriptions of what must not happen but did. */
  readonly failures: string[]
  timeOf(node: string): MachineTime
  /** The latest process of the node that has not ended. */
  processOf(node: string): SimulatedProcess | undefined
  /** The actors of that process; undefined while there is none. */
  nodeOf(node: string): SimulatedNode | undefined
  /** Starts another process; one that already runs under the name continues. */
  start(node: string): void
  kill(node: string): void
  /** Stops the latest process, as on SIGTERM. */
  stop(node: string): void
}

/** Milliseconds before a process that ended by itself is restarted. */
const RESTART_MS = 1_000

/** Milliseconds for which a leaving node still answers, as in the service. */
const LEAVING_MS = 2_000

interface Running {
  readonly process: SimulatedProcess
  readonly actors: SimulatedNode
  /** Whether it was told to stop. */
  isLeaving: boolean
}

export function createWorld(plan: Plan, bug: Bug | null): World {
  const { seed } = plan
  const scheduler = createScheduler()
  const story = createStory(scheduler)
  const journal = createJournal(story)
  const failures: string[] = []
  const network = createNetwork({ scheduler, story, chance: createChance(seed * 7 + 2), latencyMsMax: plan.networkMsMax })
  const storage = createSharedStorage({ scheduler, story, journal, chance: createChance(seed * 7 + 3), latencyMsMax: plan.storageMsMax })
  const times = new Map(plan.nodes.map(({ name, skewS, rate }) => [name, { skewS, rate }]))
  const running = new Map<string, Running[]>()
  const around: Around = bug?.begin() ?? ((outside) => outside)
  let processes = 0

  const lastOf = (node: string): Running | undefined => running.get(node)?.findLast(({ process }) => process.isAlive)
  function timeOf(node: string): MachineTime {
    const time = times.get(node)
    if (time === undefined) throw new Error(`There is no machine ${node}`)
    return time
  }
  function start(node: string): void {
    const name = `${node}.${String((running.get(node)?.length ?? 0) + 1)}`
    processes += 1
    const process = createProcess({ scheduler, node, name, time: timeOf(node), chance: createChance(seed * 7_919 + processes) })
    const outside = around({ storage: storage.storageOf(process), bus: network.busOf(process), clock: process.clock })
    const exit = (why: string): void => {
      if (!process.isAlive) return
      story.tell(name, why)
      process.end()
      // Not if another process runs that is not leaving.
      scheduler.after(RESTART_MS, () => {
        if (lastOf(node)?.isLeaving !== false) start(node)
      })
    }
    const actors = createNodeOf({ process, outside, story, failed: (what) => failures.push(what) }, () => exit('ends by itself'))
    running.set(node, [...(running.get(node) ?? []), { process, actors, isLeaving: false }])
    story.tell(name, 'starts')
    actors.node.start().then(
      () => story.tell(name, 'is up'),
      () => exit('could not start')
    )
  }
  function kill(node: string): void {
    for (const { process } of running.get(node) ?? []) {
      if (process.isAlive) story.tell(process.name, 'is killed')
      process.end()
    }
  }
  function stop(node: string): void {
    const last = lastOf(node)
    if (last === undefined) return
    const { process, actors } = last
    last.isLeaving = true
    story.tell(process.name, 'is told to stop')
    actors.nodes.membership?.drain()
    process.clock.after(LEAVING_MS, () => {
      actors.node.drain().then(
        () => {
          if (process.isAlive) story.tell(process.name, 'has stopped')
          process.end()
        },
        (error: unknown) => failures.push(`${process.name} could not stop: ${String(error)}`)
      )
    })
  }
  return {
    scheduler,
    story,
    journal,
    network,
    storage,
    failures,
    timeOf,
    processOf: (node) => lastOf(node)?.process,
    nodeOf: (node) => lastOf(node)?.actors,
    start,
    kill,
    stop
  }
}
