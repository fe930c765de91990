/** Circuit breaker per model: while a model's calls fail, callers are refused at once instead of waiting. */
import { DomainError, isDomainError } from '../domain/errors.js'
import type { Clock } from '../ports.js'
import { TextsRefusedError } from './batch-queue.js'
import { CallerGoneError } from './cancellation.js'

/** Milliseconds between two tries of a failing model. One caller tries; the others get the previous error. */
const RETRY_MS = 1_000

/**
 * Milliseconds for one call of at most some dozen texts: a third of what a request may take, so that it can still be answered without
 * vectors.
 */
const CALL_MS_MAX = 10_000

/** Bounded because names come from clients: invented ones could fill the heap. */
const MODELS_MAX = 256

export interface CallHealth {
  /** Runs a call of the model, within the time limit. Throws `embedder_unavailable` at once while the model is failing. */
  call<Value>(modelName: string, run: () => Promise<Value>): Promise<Value>
  isFailing(modelName: string): boolean
}

interface Failure {
  readonly error: DomainError
  retryAtMs: number
}

/** Only `embedder_unavailable` counts as a failure of the model. A text that it refuses, a full queue and a caller that left do not. */
export function createCallHealth(clock: Clock): CallHealth {
  const failures = new Map<string, Failure>()

  function fail(modelName: string, error: DomainError): void {
    failures.delete(modelName)
    failures.set(modelName, { error, retryAtMs: clock.monotonicMs() + RETRY_MS })
    const oldest = failures.keys().next()
    if (failures.size > MODELS_MAX && oldest.done === false) failures.delete(oldest.value)
  }

  async function timed<Value>(modelName: string, run: () => Promise<Value>): Promise<Value> {
    let stop = (): void => undefined
    const late = new Promise<never>((_, reject) => {
      stop = clock.after(CALL_MS_MAX, () => reject(new DomainError('embedder_unavailable', 'The embedder did not answer in time')))
    })
    try {
      const value = await Promise.race([run(), late])
      failures.delete(modelName)
      return value
    } catch (error) {
      if (
        isDomainError(error) &&
        error.code === 'embedder_unavailable' &&
        !(error instanceof TextsRefusedError) &&
        !(error instanceof CallerGoneError)
      )
        fail(modelName, error)
      throw error
    } finally {
      stop()
    }
  }

  return {
    async call(modelName, run) {
      const failure = failures.get(modelName)
      if (failure !== undefined) {
        if (clock.monotonicMs() < failure.retryAtMs) throw failure.error
        // This caller tries. Nobody else does until it has an outcome, for at most the duration of a call.
        failure.retryAtMs = clock.monotonicMs() + CALL_MS_MAX
      }
      return timed(modelName, run)
    },
    isFailing: (modelName) => failures.has(modelName)
  }
}
