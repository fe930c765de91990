/** Ctrl-C while a command works: what can be gone on with stays, and the next Ctrl-C ends at once. */
import { CommandFailure, EXIT } from './failure.js'

const STOPS = ['SIGINT', 'SIGTERM'] as const

/** The hint of work that keeps account of how far it came. */
export const RESUME_HINT = 'The same command goes on where it was.'

/** Runs `work`, whose signal is aborted by the first Ctrl-C. Throws CommandFailure with `hint` when that is why it ended. */
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
