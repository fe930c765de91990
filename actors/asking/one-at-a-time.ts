/** Serialises long work of one actor: run concurrently, every piece would reach its deadline before any is done. */
import { deadlinePassed } from '../../src/domain/errors.js'

/** Runs `work` after all earlier calls. Rejects as `work` does, or with `deadline_passed` when `signal` is aborted before it starts. */
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
