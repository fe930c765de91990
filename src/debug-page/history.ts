/** Keeps the events that the page has seen, and derives turns and drift from them. */
import { addTo } from '../domain/collections/by-key.js'
import type { DebugEvent } from '../client/optional-surfaces.js'

/** Maximum events kept: the default size of the service's own ring. */
export const EVENTS_KEPT = 2_048

export interface Stage {
  readonly stage: string
  readonly durationMs: number
  readonly candidates: number
  /** The best candidates after this stage. */
  readonly leading: readonly RankedMemory[]
}

/** A candidate memory, and the components of its score. */
export interface RankedMemory {
  readonly hash: string
  /** Null before the stage that computes one. */
  readonly score: number | null
  readonly components: readonly (readonly [name: string, value: number])[]
}

export interface Turn {
  readonly turn: number
  /** Time of the turn's last event, in epoch seconds. */
  readonly timestamp: number
  readonly stages: readonly Stage[]
  /** Best first. */
  readonly ranked: readonly RankedMemory[]
  /** All other events of the turn. */
  readonly others: readonly DebugEvent[]
}

export interface DriftPoint {
  readonly turn: number
  /** 0..1 */
  readonly score: number
  readonly phase: string
}

const STAGES = ['retrieve', 'fuse', 'rerank', 'serialize']

/** Appends `added` in order, without duplicates, and drops the oldest events. */
export function withEvents(events: readonly DebugEvent[], added: readonly DebugEvent[]): readonly DebugEvent[] {
  const last = events.at(-1)?.seq ?? 0
  const fresh = added.filter(({ seq }) => seq > last)
  return fresh.length === 0 ? events : [...events, ...fresh].slice(-EVENTS_KEPT)
}

/** Returns the last `limit` turns of a session, newest first. */
export function turnsOf(events: readonly DebugEvent[], sessionId: string, limit: number): readonly Turn[] {
  const byTurn = new Map<number, DebugEvent[]>()
  for (const event of events) {
    const turn = event['turn']
    if (event.session_id !== sessionId || typeof turn !== 'number') continue
    addTo(byTurn, turn, event)
  }
  const latest = [...byTurn].sort(([a], [b]) => b - a).slice(0, limit)
  return latest.map(([turn, own]) => toTurn(turn, own))
}

/** Drift at the end of each turn of a session, oldest first. */
export function driftOf(events: readonly DebugEvent[], sessionId: string): readonly DriftPoint[] {
  const points = new Map<number, DriftPoint>()
  for (const event of events) {
    const { turn, drift_score: score, drift_phase: phase } = event
    if (event.kind !== 'turn.finished' || event.session_id !== sessionId || typeof turn !== 'number' || typeof score !== 'number') continue
    points.set(turn, { turn, score, phase: typeof phase === 'string' ? phase : '' })
  }
  return [...points.values()].sort((a, b) => a.turn - b.turn)
}

function toTurn(turn: number, events: readonly DebugEvent[]): Turn {
  const stages = events.filter(({ kind }) => STAGES.includes(kind)).map(toStage)
  const ranked = events.flatMap((event) => (event.kind === 'retrieval.ranked' ? rankedOf(event['hits']) : []))
  const others = events.filter(({ kind }) => !STAGES.includes(kind) && kind !== 'retrieval.ranked')
  return { turn, timestamp: events.at(-1)?.timestamp ?? 0, stages, ranked, others }
}

function toStage(event: DebugEvent): Stage {
  const { candidates, duration_ms: durationMs } = event
  return { stage: event.kind, durationMs: numberOf(durationMs), candidates: numberOf(candidates), leading: rankedOf(event['leading']) }
}

function rankedOf(hits: unknown): RankedMemory[] {
  if (!Array.isArray(hits)) return []
  return hits.map((hit: Readonly<Record<string, unknown>>) => ({
    hash: typeof hit['memory_hash'] === 'string' ? hit['memory_hash'] : '',
    score: typeof hit['score'] === 'number' ? hit['score'] : null,
    components: componentsOf(hit['components'])
  }))
}

function componentsOf(components: unknown): (readonly [string, number])[] {
  if (typeof components !== 'object' || components === null) return []
  return Object.entries(components).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value] as const] : []))
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
