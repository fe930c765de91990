/** Independent model of the life of an actor: a table of the events accepted at each place, and of what follows. */
import type { AnyEventObject, StateValue } from 'xstate'
import type { Chance } from '../torture/chance.js'
import { BUG, type Event, FENCED, LOST } from './lifecycle-events.js'

/** Place of an actor in its life; `settled` and `committing` are both active. */
export type Place =
  | 'absent'
  | 'reading'
  | 'rehydrating'
  | 'creating'
  | 'settled'
  | 'committing'
  | 'passivating'
  | 'evicted'
  | 'deleting'
  | 'ended'

export interface Life {
  readonly hasChart: boolean
  place: Place
  final: string
  output: unknown
  isPassivationAwaited: boolean
  following: 'nothing' | 'commit' | 'removal'
  actions: string[]
}

/** The events accepted at a place, with their effects. */
type Hearing = readonly (readonly [AnyEventObject, (life: Life) => void])[]

/** Factor by which events that keep an actor alive are more frequent than others. */
const GOING_ON = 6

/** The effect that runs at a place. */
const EFFECTS: Partial<Readonly<Record<Place, string>>> = {
  reading: 'reading',
  rehydrating: 'rehydration',
  creating: 'creation',
  passivating: 'release',
  deleting: 'removal'
}

const ACTIVE: ReadonlySet<Place> = new Set(['settled', 'committing'])
const ACTIVATING: ReadonlySet<Place> = new Set(['reading', 'rehydrating', 'creating'])

function go(life: Life, place: Place, ...actions: string[]): void {
  if (ACTIVE.has(life.place) && !ACTIVE.has(place)) life.actions.push('closeMailbox')
  if (ACTIVATING.has(life.place) && !ACTIVATING.has(place)) life.actions.push('releasePermit')
  life.actions.push(...actions)
  if (ACTIVATING.has(place) && !ACTIVATING.has(life.place)) life.actions.push('reportActivation')
  if (ACTIVE.has(place) && !ACTIVE.has(life.place)) life.actions.push('openMailbox', ...(life.hasChart ? ['run chart'] : []))
  // A command that creates the record may wait for its preparation, and keeps no place from those that read theirs.
  if (place === 'creating') life.actions.push('releasePermit')
  const effect = EFFECTS[place]
  if (effect !== undefined) life.actions.push(`run ${effect}`)
  if (place === 'committing') {
    life.following = 'nothing'
    life.actions.push('beginCommit')
  }
  if (place === 'evicted') life.actions.push('putAway')
  life.place = place
  if (place === 'settled' && life.isPassivationAwaited) go(life, 'passivating')
}

function end(life: Life, final: string, output: object): void {
  go(life, 'ended')
  Object.assign(life, { final, output })
}

function finishCommit(life: Life): void {
  if (life.following === 'removal') go(life, 'deleting', 'releaseReplies')
  else go(life, life.following === 'commit' ? 'committing' : 'settled', 'releaseReplies')
}

function noteRemoval(life: Life): void {
  life.following = 'removal'
  life.actions.push('closeMailbox')
}

function finishRemoval(life: Life): void {
  life.actions.push('releaseReplies')
  end(life, 'deleted', { type: 'actor.deleted' })
}

function beginAnew(life: Life): void {
  life.isPassivationAwaited = false
  go(life, 'reading')
}

/** The events accepted at each place, for the machine of these events. */
function hearingOf(events: readonly AnyEventObject[], hasChart: boolean): Readonly<Record<Place, Hearing>> {
  const find = (type: string, matches: (event: AnyEventObject) => boolean = () => true) => {
    const found = events.find((event) => event.type.includes(type) && matches(event))
    if (found === undefined) throw new Error(`no event ${type}`)
    return found
  }
  const done = (state: string, output?: unknown) =>
    find(`done.actor.`, (event) => event.type.endsWith(state) && JSON.stringify(event['output']) === JSON.stringify(output))
  const failing = (state: string): Hearing => [
    [
      find('error.actor.', (event) => event.type.endsWith(state) && event['error'] === FENCED),
      (life) => end(life, 'fenced', { type: 'actor.fenced' })
    ],
    [
      find('error.actor.', (event) => event.type.endsWith(state) && event['error'] === LOST),
      (life) => end(life, 'failed', { type: 'actor.failed', error: LOST })
    ]
  ]
  const await_: Hearing[number] = [find('actor.passivate'), (life) => void (life.isPassivationAwaited = true)]
  const fence: Hearing[number] = [find('actor.fence'), (life) => end(life, 'fenced', { type: 'actor.fenced' })]
  const failed = (life: Life) => end(life, 'failed', { type: 'actor.failed', error: BUG })
  const active: Hearing = [fence, [find('step.fail'), failed], ...(hasChart ? [[find('error.actor.chart'), failed] as const] : [])]
  return {
    absent: [fence, [find('actor.activate'), (life) => go(life, 'reading')]],
    reading: [
      fence,
      await_,
      ...failing('reading'),
      [done('reading', true), (life) => go(life, 'rehydrating')],
      [done('reading', false), (life) => go(life, 'creating')]
    ],
    rehydrating: [
      fence,
      await_,
      ...failing('rehydrating'),
      [done('rehydrating', { size: 3, durationMs: 12 }), (life) => go(life, 'settled', 'reportRehydration')],
      [done('rehydrating', null), (life) => go(life, 'creating')]
    ],
    creating: [
      fence,
      await_,
      ...failing('creating'),
      [done('creating', 'made'), (life) => go(life, 'settled')],
      [done('creating', 'overtaken'), (life) => go(life, 'reading')],
      [done('creating', 'missing'), (life) => end(life, 'missing', { type: 'actor.missed' })]
    ],
    settled: [
      ...active,
      [find('changes.commit'), (life) => go(life, 'committing')],
      [find('record.remove'), (life) => go(life, 'deleting')],
      [find('actor.passivate'), (life) => go(life, 'passivating')]
    ],
    committing: [
      ...active,
      [find('changes.commit'), (life) => void (life.following = life.following === 'removal' ? 'removal' : 'commit')],
      [find('record.remove'), noteRemoval],
      await_,
      [find('commit.finish'), finishCommit],
      [find('commit.fail', (event) => event['error'] === FENCED), (life) => end(life, 'fenced', { type: 'actor.fenced' })],
      [find('commit.fail', (event) => event['error'] === LOST), (life) => end(life, 'failed', { type: 'actor.failed', error: LOST })]
    ],
    passivating: [
      fence,
      [done('passivating'), (life) => go(life, 'evicted')],
      ...failing('passivating').map(([event]): Hearing[number] => [event, (life) => go(life, 'evicted', 'reportReleaseFailure')])
    ],
    evicted: [
      fence,
      [find('actor.revive'), beginAnew],
      [find('actor.forget'), (life) => end(life, 'forgotten', { type: 'actor.evicted' })]
    ],
    deleting: [fence, ...failing('deleting'), [done('deleting'), finishRemoval]],
    ended: []
  }
}

/** The random walk for a machine of the kind that has these events. */
export function lifecycleWalk(events: readonly Event[], { hasChart }: { readonly hasChart: boolean }) {
  const hearing = hearingOf(events, hasChart)
  // Without failures: in XState, one that no transition accepts ends the machine.
  const loose = events.filter(({ type }) => !type.startsWith('xstate.error.'))
  const heardAt = (place: Place): Event[] =>
    // Most lives are long: events that end one or put it away are rarely chosen.
    hearing[place].flatMap(([event]) =>
      /fence|fail|error|passivate|remove/.test(event.type) ? [event] : Array<AnyEventObject>(GOING_ON).fill(event)
    ) as Event[]
  const start: Life = {
    hasChart,
    place: 'absent',
    final: '',
    output: undefined,
    isPassivationAwaited: false,
    following: 'nothing',
    actions: []
  }
  return {
    start: { place: start, actions: [] },
    draw: (chance: Chance, { place }: Life): Event => chance.pick(chance.oneIn(5) ? loose : heardAt(place)) ?? { type: 'actor.fence' },
    next(before: Life, event: Event) {
      const place: Life = { ...before, actions: [] }
      hearing[before.place].find(([known]) => known === event)?.[1](place)
      return { place, actions: place.actions }
    },
    valueOf,
    outputOf: ({ output }: Life) => output
  }
}

function valueOf({ place, final }: Life): StateValue {
  if (place === 'ended') return final
  if (ACTIVE.has(place)) return { active: place }
  return ACTIVATING.has(place) ? { activating: place } : place
}
