/** Generates histories that are linearizable by construction: each call takes effect at one moment. */
import fc from 'fast-check'
import type { Entry } from './history.js'

interface Moment {
  readonly kind: Entry['kind']
  /** Milliseconds from the previous call's invocation to this one's, from there to its effect, and from there to its end. */
  readonly delays: readonly [number, number, number]
  readonly outcome: 'ok' | 'refused' | 'unknown'
  /** Whether the call took effect, if its outcome is unknown. */
  readonly isDone: boolean
  readonly tokens: number
}

export interface SimulationOptions {
  readonly kinds: readonly ('append' | 'list' | 'put' | 'look')[]
  readonly callsMin?: number
  readonly callsMax: number
}

/** Histories of one session and one key. No two calls share a time, so that the order of times says everything. */
export function simulatedHistory({ kinds, callsMin = 0, callsMax }: SimulationOptions): fc.Arbitrary<Entry[]> {
  const delay = fc.integer({ min: 1, max: 40 })
  const unusual = fc.constantFrom('refused', 'unknown')
  const moment = fc.record({
    kind: fc.constantFrom(...kinds),
    delays: fc.tuple(fc.integer({ min: 0, max: 12 }), delay, delay),
    outcome: fc.oneof({ weight: 8, arbitrary: fc.constant('ok' as const) }, { weight: 1, arbitrary: unusual }),
    isDone: fc.boolean(),
    tokens: fc.integer({ min: 1, max: 2 })
  })
  return fc.array(moment, { minLength: callsMin, maxLength: callsMax, size: 'max' }).map(simulate)
}

function simulate(moments: readonly Moment[]): Entry[] {
  let now = 0
  const planned = moments.map((moment, at) => {
    const [pause, toEffect, toEnd] = moment.delays
    now += pause
    // A fraction of a millisecond of its own, so that times of two calls never coincide.
    const invoked = now + at / 1000
    // A call with an unknown outcome may take effect long after it was given up.
    const effect = invoked + toEffect * (moment.outcome === 'unknown' ? 5 : 1)
    return { ...moment, at, invoked, effect, ended: moment.outcome === 'unknown' ? invoked + toEnd : effect + toEnd }
  })
  const held: string[] = []
  let value: string | null = null
  const entries: Entry[] = []
  for (const { at, kind, tokens, outcome, isDone, invoked, ended } of [...planned].sort((a, b) => a.effect - b.effect)) {
    const isEffective = outcome === 'ok' || (outcome === 'unknown' && isDone)
    const base = { session: 's', invoked, ended, outcome }
    if (kind === 'append') {
      const own = Array.from({ length: tokens }, (_, place) => `t${at}.${place}`)
      if (isEffective) held.push(...own)
      entries.push({ ...base, kind, tokens: own })
    } else if (kind === 'put') {
      if (isEffective) value = `v${at}`
      entries.push({ ...base, kind, key: 'k', value: `v${at}` })
    } else if (kind === 'list') entries.push({ ...base, kind, tokens: [...held] })
    else entries.push({ ...base, kind, key: 'k', value })
  }
  return entries.sort((a, b) => a.invoked - b.invoked)
}
