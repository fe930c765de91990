/** Long work of one actor, done one at a time: all at once, each would come to its deadline before any is done. */
import { deadlinePassed } from '../../src/domain/errors.js'

/** In the order of the calls. Rejects as `work` does, or with `deadline_passed` when `signal` is aborted before its turn. */
export type OneAtATime = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>

export function createOneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve()
  return (signal, work) => {
    const result = last.then(() => {
      if (signal.aborted) throw deadlinePassed()
      return work()
    })
    last = result.catch(() => undefined)
    return result
  }
}
