/** Ctrl-C during a command: resumable work is kept, and a second Ctrl-C ends at once. */
import { CommandFailure, EXIT } from './failure.js'

const STOPS = ['SIGINT', 'SIGTERM'] as const

/** Hint for work that records its progress. */
export const RESUME_HINT = 'The same command goes on where it was.'

/** Runs `work` with a signal that the first Ctrl-C aborts. Throws CommandFailure with `hint` if the work ended because of that. */
export async function interruptible<Result>(hint: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const stop = (): void => controller.abort(new Error('interrupted'))
  for (const signal of STOPS) process.once(signal, stop)
  try {
    return await work(controller.signal)
  } catch (error) {
    if (!controller.signal.aborted) throw error
    throw new CommandFailure(`Interrupted. ${hint}`, EXIT.interrupted, { cause: error })
  } finally {
    for (const signal of STOPS) process.removeListener(signal, stop)
  }
}
