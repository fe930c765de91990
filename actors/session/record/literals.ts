/** Reports the changes of a session's literal cache. */
import type { Counters, Tracer } from '../../../src/ports.js'
import { traceActor } from '../../behaviour/trace.js'
import type { SessionState } from './state.js'

/** Reports to the debugger and the metrics the entities loaded with the session, and from now on those that are evicted. */
export function takeLiterals(
  { address, literals }: SessionState,
  { tracer, counters }: { readonly tracer: Tracer; readonly counters: Counters }
): void {
  literals.watch((news) => {
    const { entities, bytes } = news
    if (news.type === 'loaded') {
      counters.count({ name: 'literals_loaded', entities })
      traceActor(tracer, 'literals.loaded', address, { entities, bytes })
    } else {
      const { reason } = news
      counters.count({ name: 'literals_evicted', entities, reason })
      traceActor(tracer, 'literals.evicted', address, { entities, bytes, reason })
    }
  })
  literals.load()
}
