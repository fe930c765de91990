/** Reports failed retrievals, whose reply is only an empty context. */
import { traceActor } from '../../behaviour/trace.js'
import type { Work } from '../record/work.js'

/** Counts, logs and traces a failure by the error's name only: its message may contain a text. */
export function tellFailure({ state, services }: Pick<Work, 'state' | 'services'>, error: unknown, turn?: number): void {
  const name = error instanceof Error ? error.name : 'unknown'
  services.counters.count({ name: 'retrieval_failure' })
  services.logger.warn({ error: name }, 'A retrieval failed')
  traceActor(services.tracer, 'retrieve.failed', state.address, { ...(turn !== undefined && { turn }), error: name })
}
