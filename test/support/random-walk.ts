/** Compares a state machine with an independent description in its test, event by event along a long random walk. */
import type { Test } from 'tap'
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createMachine,
  type EventFromLogic,
  type ExecutableActionObject,
  initialTransition,
  type InputFrom,
  type StateValue,
  transition
} from 'xstate'
import { type Chance, createChance } from '../torture/chance.js'

/** Five times as many as any machine needs until the walk has detected each of its guards and actions when it is left out: 1,047. */
const EVENTS = 5_000
/** Events after which the walk restarts, so that it also sees parts of the machine that no event leads back to. */
const LAP = 200
const SEED = 14

/** The result of an event. */
export interface Stride<Place> {
  readonly place: Place
  /** Names of the actions in order, each with the texts among its parameters. An effect that starts is `run` and its name. */
  readonly actions: readonly string[]
}

export interface Walk<Machine extends AnyStateMachine, Place> {
  readonly input?: InputFrom<Machine>
  readonly start: Stride<Place>
  /** Draws the next event from all events, whether or not it has an effect at the place. */
  draw(chance: Chance, place: Place): EventFromLogic<Machine>
  next(place: Place, event: EventFromLogic<Machine>): Stride<Place>
  /** Value of the machine at the place. The walk restarts where a machine has ended, and periodically. */
  valueOf(place: Place): StateValue
  /** Output of a machine that ended there. Default: not compared. */
  outputOf?(place: Place): unknown
}

/** Compares the machine with its description over all these events, and checks that the walk would detect any missing guard or action. */
export function holdToDescription<Machine extends AnyStateMachine, Place>(t: Test, machine: Machine, walk: Walk<Machine, Place>): void {
  t.equal(firstDifference(machine, walk), null)
  const mutants = mutantsOf(machine)
  t.ok(mutants.length > 0)
  for (const { without, mutant } of mutants) t.not(firstDifference(mutant, walk), null, `without ${without}`)
}

/** Returns null when there is none. */
function firstDifference<Machine extends AnyStateMachine, Place>(machine: AnyStateMachine, walk: Walk<Machine, Place>): string | null {
  const chance = createChance(SEED)
  const begin = () => initialTransition(machine, walk.input as never)
  let expected = walk.start
  let [state, actions] = begin()
  let difference = compare('at the start', { state, actions }, expected, walk)
  for (let at = 1; at <= EVENTS && difference === null; at++) {
    if (state.status === 'done' || at % LAP === 0) {
      expected = walk.start
      ;[state, actions] = begin()
    }
    const event = walk.draw(chance, expected.place)
    expected = walk.next(expected.place, event)
    try {
      ;[state, actions] = transition(machine, state, event)
    } catch (error) {
      return `event ${at}, ${event.type}: ${String(error)}`
    }
    difference = compare(`event ${at}, ${event.type}`, { state, actions }, expected, walk)
  }
  return difference
}

interface Reached {
  readonly state: AnyMachineSnapshot
  readonly actions: readonly ExecutableActionObject[]
}

function compare<Machine extends AnyStateMachine, Place>(
  when: string,
  { state, actions }: Reached,
  { place, actions: wanted }: Stride<Place>,
  walk: Walk<Machine, Place>
): string | null {
  const ending = (output: () => unknown) => (state.status === 'done' && walk.outputOf !== undefined ? [output()] : [])
  const found = JSON.stringify([sorted(state.value as StateValue), actions.flatMap(nameOf), ...ending(() => state.output)])
  const expected = JSON.stringify([sorted(walk.valueOf(place)), wanted, ...ending(() => walk.outputOf?.(place))])
  return found === expected ? null : `${when}: ${found}, expected ${expected}`
}

function nameOf({ type, params }: ExecutableActionObject): readonly string[] {
  if (type === 'xstate.spawnChild') return [`run ${String((params as { readonly src: unknown }).src)}`]
  if (type.startsWith('xstate.')) return []
  const texts = Object.values(params ?? {}).filter((value): value is string => typeof value === 'string')
  return [[type, ...texts].join(' ')]
}

/** Sorts regions by name. */
function sorted(value: StateValue | undefined): unknown {
  if (typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)])
  )
}

type Config = Record<string, unknown> | readonly unknown[]

/** Returns the machine without each of its guards in turn, and without each of its actions. */
function mutantsOf(machine: AnyStateMachine): { readonly without: string; readonly mutant: AnyStateMachine }[] {
  const config = machine.config as unknown as Config
  return sitesOf(config, []).map((path) => ({
    without: `${path.join('.')} (${JSON.stringify(path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], config))})`,
    mutant: createMachine(without(config, path) as never, machine.implementations as never)
  }))
}

function sitesOf(config: unknown, path: readonly string[]): string[][] {
  if (typeof config !== 'object' || config === null) return []
  return Object.entries(config).flatMap(([key, value]: [string, unknown]) => {
    const at = [...path, key]
    if (key === 'guard') return [at]
    if (key === 'actions' || key === 'entry' || key === 'exit')
      return Array.isArray(value) ? value.map((_, index) => [...at, String(index)]) : [at]
    return sitesOf(value, at)
  })
}

function without(config: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || typeof config !== 'object' || config === null) return config
  if (Array.isArray(config)) {
    return rest.length === 0
      ? config.filter((_, index) => String(index) !== key)
      : config.map((item: unknown, index) => (String(index) === key ? without(item, rest) : item))
  }
  const entries = Object.entries(config).filter(([name]) => name !== key || rest.length > 0)
  return Object.fromEntries(entries.map(([name, value]: [string, unknown]) => [name, name === key ? without(value, rest) : value]))
}
