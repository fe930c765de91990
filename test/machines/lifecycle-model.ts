/** What the life of an actor is, told a second time: as a table of what is heard where, and what follows. */
import type { AnyEventObject } from 'xstate'
import type { Model, Shown } from '../support/model-walk.js'
import { BUG, FENCED, LOST } from './lifecycle-events.js'

/** Where an actor is; `settled` and `committing` are what it is while active. */
type Place = 'absent' | 'reading' | 'rehydrating' | 'creating' | 'settled' | 'committing' | 'passivating' | 'evicted' | 'deleting' | 'ended'

interface Life {
  place: Place
  final: string
  output: unknown
  isPassivationAwaited: boolean
  following: 'nothing' | 'commit' | 'removal'
  actions: string[]
}

/** What is heard at a place: the events, and what they do. */
type Hearing = readonly (readonly [AnyEventObject, (life: Life) => void])[]

/** How much more often an event is heard that does not end an actor. */
const GOING_ON = 6

const ACTIVE: ReadonlySet<Place> = new Set(['settled', 'committing'])
const ACTIVATING: ReadonlySet<Place> = new Set(['reading', 'rehydrating', 'creating'])

function go(life: Life, place: Place, ...actions: string[]): void {
  if (ACTIVE.has(life.place) && !ACTIVE.has(place)) life.actions.push('closeMailbox')
  if (ACTIVATING.has(life.place) && !ACTIVATING.has(place)) life.actions.push('leavePlace')
  life.actions.push(...actions)
  if (ACTIVATING.has(place) && !ACTIVATING.has(life.place)) life.actions.push('reportActivation')
  if (ACTIVE.has(place) && !ACTIVE.has(life.place)) life.actions.push('openMailbox')
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

/** What is heard where, for the machine whose events these are. */
function hearingOf(events: readonly AnyEventObject[], hasChart: boolean): Readonly<Record<Place, Hearing>> {
  const find = (type: string, matches: (event: AnyEventObject) => boolean = () => true) => {
    const found = events.find((event) => event.type.includes(type) && matches(event))
    if (found === undefined) throw new Error(`no event ${type}`)
    return found
  }
  const done = (state: string, output?: unknown) => find(`done.actor.`, (event) => event.type.endsWith(state) && JSON.stringify(event['output']) === JSON.stringify(output))
  const failing = (state: string): Hearing => [
    [find('error.actor.', (event) => event.type.endsWith(state) && event['error'] === FENCED), (life) => end(life, 'fenced', { type: 'actor.fenced' })],
    [find('error.actor.', (event) => event.type.endsWith(state) && event['error'] === LOST), (life) => end(life, 'failed', { type: 'actor.failed', error: LOST })]
  ]
  const await_: Hearing[number] = [find('actor.passivate'), (life) => void (life.isPassivationAwaited = true)]
  const fence: Hearing[number] = [find('actor.fence'), (life) => end(life, 'fenced', { type: 'actor.fenced' })]
  const failed = (life: Life) => end(life, 'failed', { type: 'actor.failed', error: BUG })
  const active: Hearing = [
    fence,
    [find('step.run'), (life) => void life.actions.push('runStep')],
    [find('step.fail'), failed],
    ...(hasChart ? [[find('error.actor.chart'), failed] as const] : [])
  ]
  return {
    absent: [fence, [find('actor.activate'), (life) => go(life, 'reading')], [find('actor.passivate'), (life) => go(life, 'evicted')]],
    reading: [fence, await_, ...failing('reading'), [done('reading', true), (life) => go(life, 'rehydrating')], [done('reading', false), (life) => go(life, 'creating')]],
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

/** The life of an actor whose kind has a chart of its own, or none. */
export function createLifecycleModel(events: readonly AnyEventObject[], { hasChart }: { readonly hasChart: boolean }): () => Model {
  const hearing = hearingOf(events, hasChart)
  return () => {
    const life: Life = { place: 'absent', final: '', output: undefined, isPassivationAwaited: false, following: 'nothing', actions: [] }
    return {
      tell(event) {
        life.actions = []
        hearing[life.place].find(([known]) => known === event)?.[1](life)
        return shown(life)
      },
      // Most lives go on for long: what ends one is not taken often.
      heard: () => hearing[life.place].flatMap(([event]) => (/fence|fail|error/.test(event.type) ? [event] : Array<AnyEventObject>(GOING_ON).fill(event)))
    }
  }
}

function shown({ place, final, output, actions }: Life): Shown {
  if (place === 'ended') return { value: final, actions, output }
  if (ACTIVE.has(place)) return { value: { active: place }, actions }
  return { value: ACTIVATING.has(place) ? { activating: place } : place, actions }
}
