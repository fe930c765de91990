/** Runs one simulation: nodes and clients through the faults of a plan, then checks of all properties. */
import process from 'node:process'
import type { Bug } from './bugs.js'
import { createClients } from './clients.js'
import { faultText, strike } from './faults.js'
import { createLoad } from './load.js'
import { type Plan, TROUBLE_MS } from './plan.js'
import { checkSeen, checkSharing, unsettled, type Violation } from './properties.js'
import { createWorld, type World } from './world.js'

export interface Outcome {
  readonly violations: readonly Violation[]
  readonly story: readonly string[]
  /** Differs if anything happened differently. */
  readonly fingerprint: string
  /** Simulated milliseconds. */
  readonly durationMs: number
  readonly steps: number
}

/** Time limit in milliseconds for nodes to start and for the preparations. */
const BEGIN_MS_MAX = 20_000

/** Milliseconds between checks whether all is settled, and the time limit for that once all faults are over. */
const LOOK_MS = 500
const SETTLE_MS_MAX = 150_000

/** Time limit in milliseconds for the final reads. */
const READ_MS_MAX = 120_000

export async function simulate(plan: Plan, bug: Bug | null = null): Promise<Outcome> {
  const world = createWorld(plan, bug)
  const unhandled = (error: unknown): void => void world.failures.push(`a promise that nobody waits for was rejected: ${String(error)}`)
  process.on('unhandledRejection', unhandled)
  try {
    return await tell(world, plan)
  } finally {
    process.off('unhandledRejection', unhandled)
  }
}

async function tell(world: World, plan: Plan): Promise<Outcome> {
  const clients = createClients(world)
  const load = createLoad(world, clients)
  const { scheduler, story } = world
  const violations: Violation[] = []
  const violate = (property: string, detail: string): void => void violations.push({ property, detail })

  for (const { name } of plan.nodes) world.start(name)
  try {
    if (await ends(world, load.prepare(), BEGIN_MS_MAX, (why) => violate('start', why))) {
      befall(world, plan)
      const sinceMs = scheduler.nowMs
      for (const operation of plan.operations) scheduler.after(operation.atMs, () => load.begin(operation))
      await scheduler.runUntil(sinceMs + TROUBLE_MS)
      story.tell('end', 'all faults are over')
      const why = await settle(world, () => (load.underWay > 0 ? `${String(load.underWay)} clients wait` : unsettled(world, clients)))
      if (why !== null) violate('unsettled', why)
      await ends(world, load.readFinally(), READ_MS_MAX, (why) => violate('unreadable', why))
      const shared = checkSharing(load.seen, world, clients).then((found) => void violations.push(...found))
      await ends(world, shared, READ_MS_MAX, (why) => violate('unreadable', why))
    }
  } catch (error) {
    violate('stopped', String(error))
  }
  // Node.js reports unhandled rejections between two iterations of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  violations.push(...checkSeen(load.seen, world))
  for (const { property, detail } of violations) story.tell('!', `${property}: ${detail}`)
  for (const { name } of plan.nodes) world.kill(name)
  return { violations, story: story.lines, fingerprint: story.fingerprint(), durationMs: scheduler.nowMs, steps: scheduler.steps }
}

/** Schedules the faults and their ends, all of them before TROUBLE_MS. */
function befall(world: World, { faults }: Plan): void {
  const { scheduler, story } = world
  for (const fault of faults) {
    scheduler.after(fault.atMs, () => {
      story.tell('fault', faultText(fault))
      const heal = strike(world, fault)
      const leftMs = TROUBLE_MS - 1 - fault.atMs
      scheduler.after(Math.min(fault.forMs, leftMs), () => {
        story.tell('fault', `${fault.kind} of ${fault.node} is over`)
        heal()
      })
    })
  }
}

/** Lets time pass until `work` has ended. Returns whether it succeeded in time. */
async function ends(world: World, work: Promise<void>, limitMs: number, failed: (why: string) => void): Promise<boolean> {
  const untilMs = world.scheduler.nowMs + limitMs
  const state = { isOpen: true, isDone: false }
  work.then(
    () => Object.assign(state, { isOpen: false, isDone: true }),
    (error: unknown) => {
      state.isOpen = false
      failed(error instanceof Error ? error.message : String(error))
    }
  )
  while (state.isOpen && world.scheduler.nowMs < untilMs) await world.scheduler.runUntil(world.scheduler.nowMs + LOOK_MS / 25)
  if (state.isOpen) failed(`nothing came within ${String(limitMs)} ms`)
  return state.isDone
}

/** Waits until all is settled. Returns what is not settled at the time limit; null if all is. */
async function settle({ scheduler }: World, unsettled: () => string | null): Promise<string | null> {
  const untilMs = scheduler.nowMs + SETTLE_MS_MAX
  for (;;) {
    await scheduler.runUntil(scheduler.nowMs + LOOK_MS)
    const why = unsettled()
    if (why === null || scheduler.nowMs >= untilMs) return why
  }
}
