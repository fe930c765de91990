/**
 * Long work of each subject: a few at a time, that of the earliest job first. If all of it shared the processor, each piece of work would
 * take as long as all together, reach its deadline, and be tried again from its start: with enough of it, none would ever be done. Short
 * work does not come here, and goes on beside it.
 */
import { countWhile } from '../../src/domain/collections/ascending.js'

/** Maximum number of long works of one subject that go on at a time: one large import does not hold up everything else. */
const AT_ONCE = 4

interface LongWork {
  /**
   * Calls `goOn` when fewer than AT_ONCE of the subject's works are under way: at once, or once others have left. A work whose `signal` is
   * aborted stops waiting. `signal` stands for the work's job: each of a job's works is as early as its first.
   */
  enter(subject: string, goOn: () => void, signal?: AbortSignal): void
  /** Ends the work of a subject, of which `goOn` was called. */
  leave(subject: string): void
}

interface Waiting {
  readonly order: number
  readonly goOn: () => void
}

interface Line {
  underWay: number
  /** Earliest first; of one job's, in the order in which they came. */
  readonly waiting: Waiting[]
}

export function createLongWork(): LongWork {
  const lines = new Map<string, Line>()
  const orders = new WeakMap<AbortSignal, number>()
  let latest = 0

  function orderOf(signal: AbortSignal | undefined): number {
    const order = (signal === undefined ? undefined : orders.get(signal)) ?? (latest += 1)
    if (signal !== undefined) orders.set(signal, order)
    return order
  }
  function begin(line: Line, work: Waiting): void {
    line.underWay += 1
    work.goOn()
  }
  return {
    enter(subject, goOn, signal) {
      const line = lines.get(subject) ?? { underWay: 0, waiting: [] }
      lines.set(subject, line)
      const work: Waiting = { order: orderOf(signal), goOn }
      if (line.underWay < AT_ONCE || signal?.aborted === true) {
        begin(line, work)
        return
      }
      line.waiting.splice(
        countWhile(line.waiting, ({ order }) => order <= work.order),
        0,
        work
      )
      const giveUp = () => {
        const at = line.waiting.indexOf(work)
        if (at === -1) return
        line.waiting.splice(at, 1)
        begin(line, work)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
    },
    leave(subject) {
      const line = lines.get(subject)
      if (line === undefined) return
      line.underWay -= 1
      const next = line.underWay < AT_ONCE ? line.waiting.shift() : undefined
      if (next !== undefined) begin(line, next)
      else if (line.underWay === 0) lines.delete(subject)
    }
  }
}
