/** A session's literal cache, for those who watch it. */
import type { Counters, Tracer } from '../../../src/ports.js'
import { traceActor } from '../../behaviour/trace.js'
import type { SessionState } from './state.js'

/** Tells the debugger and the metrics what came with the session, and from now on what leaves it. */
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
