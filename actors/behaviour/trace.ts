/** Debug events of actors, and of parts that belong to no subject. */
import type { Address } from '../../src/domain/address.js'
import type { DebugEventKind } from '../../src/domain/debug-events.js'
import type { Tracer } from '../../src/ports.js'

/** Emits an event about one actor. Costs one comparison while nobody traces. */
export function traceActor(tracer: Tracer, kind: DebugEventKind, address: Address, data: Readonly<Record<string, unknown>> = {}): void {
  if (!tracer.isEnabled) return
  const { kind: actor, subject, id } = address
  tracer.emit(actor === 'session' ? { kind, subject, sessionId: id, data } : { kind, subject, data: { ...data, actor, id } })
}

/** Emits an event about a part that belongs to no subject. */
export function traceSystem(tracer: Tracer, kind: DebugEventKind, data: Readonly<Record<string, string | number | boolean>> = {}): void {
  if (tracer.isEnabled) tracer.emit({ kind, subject: null, data })
}
