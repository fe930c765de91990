/** Refusals of an embedder, and callers that give up. */
import { DomainError, isDomainError } from '../domain/errors.js'

export function unavailable(message: string): DomainError {
  return new DomainError('embedder_unavailable', message)
}

/** The caller gave up, which says nothing about the model. */
export class CallerGoneError extends DomainError {
  constructor() {
    super('embedder_unavailable', 'The embedding was cancelled')
    this.name = 'CallerGoneError'
  }
}

/** Error of an aborted call: the reason of the abort if that is a DomainError, else CallerGoneError. */
export function cancelled(signal: AbortSignal): DomainError {
  const reason: unknown = signal.reason
  return isDomainError(reason) ? reason : new CallerGoneError()
}

/** Resolves or rejects as `promise` does, or rejects as soon as `signal` aborts. The promise's rejection never stays unhandled. */
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
