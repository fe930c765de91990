/**
 * Program that starts each chart of `docs/machines` as a reader would, lets an hour pass, and sends it all events that need no guard.
 * Prints the charts that it ran; throws if one leaves its states.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { type AnyMachineSnapshot, createActor, createMachine, SimulatedClock } from 'xstate'

const FOLDER = new URL('../../docs/machines/', import.meta.url)
const HOUR_MS = 3_600_000
const STEP_MS = 100

interface State {
  readonly on?: Record<string, unknown>
  readonly states?: Record<string, State>
}

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.json'))) {
  const chart = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as State
  const run = () => {
    const clock = new SimulatedClock()
    const actor = createActor(createMachine(chart as never), { clock })
    actor.subscribe({
      error: (error) => {
        throw error
      }
    })
    actor.start()
    expectWithin(name, chart, (actor.getSnapshot() as AnyMachineSnapshot).value)
    return { clock, actor }
  }
  const { clock } = run()
  for (let ms = 0; ms < HOUR_MS; ms += STEP_MS) clock.increment(STEP_MS)
  const { actor } = run()
  for (const type of plainEvents(chart)) {
    actor.send({ type })
    expectWithin(name, chart, (actor.getSnapshot() as AnyMachineSnapshot).value)
  }
  process.stdout.write(`${name}\n`)
}

/** Events whose transitions have no guards: guards exist only in the code. */
function plainEvents(chart: State): string[] {
  const all = [chart]
  for (const state of all) all.push(...Object.values(state.states ?? {}))
  const entries = all.flatMap(({ on }) => Object.entries(on ?? {}))
  const guarded = new Set(entries.filter(([, to]) => JSON.stringify(to).includes('"guard"')).map(([type]) => type))
  return [...new Set(entries.map(([type]) => type))].filter((type) => !guarded.has(type) && !type.includes('*'))
}

function expectWithin(name: string, state: State, value: unknown): void {
  const names = typeof value === 'string' ? [value] : Object.keys(value as object)
  for (const child of names) {
    const inner = state.states?.[child]
    if (inner === undefined) throw new Error(`${name} has no state ${child}`)
    if (typeof value === 'object' && value !== null) expectWithin(name, inner, (value as Record<string, unknown>)[child])
  }
}
