import type { DebugEventKind } from '../../../src/domain/debug-events.js'
import type { SessionState } from './state.js'
import type { SessionServices } from './work.js'

/** Emits a debug event of a session. No-op while nobody traces. */
export function trace(
  state: SessionState,
  { tracer }: Pick<SessionServices, 'tracer'>,
  kind: DebugEventKind,
  data: Readonly<Record<string, unknown>>
): void {
  if (!tracer.isEnabled) return
  tracer.emit({ kind, subject: state.address.subject, sessionId: state.address.id, data })
}
