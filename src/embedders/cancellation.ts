/** How embedders answer a caller that gives up. */
import { DomainError, isDomainError } from '../domain/errors.js'

/** The caller gave up: that says nothing of the model. */
export class CallerGoneError extends DomainError {
  constructor() {
    super('embedder_unavailable', 'The embedding was cancelled')
    this.name = 'CallerGoneError'
  }
}

/** The refusal for an aborted call: the reason it was aborted with, if that is a refusal itself. */
export function cancelled(signal: AbortSignal): DomainError {
  const reason: unknown = signal.reason
  return isDomainError(reason) ? reason : new CallerGoneError()
}

/** `promise`, or the refusal as soon as `signal` aborts, whichever comes first. The promise is not left unhandled. */
export async function orCancelled<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise
  promise.catch(() => undefined)
  if (signal.aborted) throw cancelled(signal)
  let stop = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(cancelled(signal))
    signal.addEventListener('abort', onAbort, { once: true })
    stop = () => signal.removeEventListener('abort', onAbort)
  })
  return Promise.race([promise, aborted]).finally(stop)
}
