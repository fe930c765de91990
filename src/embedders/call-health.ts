/** Circuit breaker per model: while a model's calls fail, callers are refused at once instead of waiting. */
import { dropOldest } from '../domain/collections/oldest.js'
import { type DomainError, isDomainError } from '../domain/errors.js'
import { createSharedEntries, entryKey } from '../domain/fairness/shared-entries.js'
import type { Clock } from '../ports.js'
import { withTimeLimit } from '../time-limit.js'
import { OWN_SUBJECT, TextsRefusedError } from './batch-queue.js'
import { CallerGoneError, unavailable } from './cancellation.js'

/** Milliseconds between two tries of a failing model. One caller tries; the others get the previous error. */
const RETRY_MS = 1_000

/**
 * Milliseconds for one call of at most some dozen texts: a third of what a request may take, so that it can still be answered without
 * vectors.
 */
const CALL_MS_MAX = 10_000

/** Bounded because names come from clients: invented ones could fill the heap. */
const MODELS_MAX = 256
/** Maximum failures remembered, each of one subject with one model. */
const FAILURES_MAX = 1_024

interface CallHealth {
  /** Runs a subject's call of the model, with a time limit. Throws `embedder_unavailable` at once while the model or subject fails. */
  call<Value>({ modelName, subject }: Caller, run: () => Promise<Value>): Promise<Value>
  isFailing(modelName: string): boolean
}

export interface Caller {
  readonly modelName: string
  readonly subject: string
}

interface CallHealthOptions {
  readonly clock: Clock
  /** Embeds a text of the service's own with the model. */
  readonly probe: (modelName: string) => Promise<unknown>
}

interface Failure {
  readonly error: DomainError
  retryAtMs: number
}

/**
 * Only `embedder_unavailable` counts as a failure. A text that the model refuses, a full queue and a caller that left do not. A subject may
 * cause a failure itself, by a text that the model cannot process or by too many texts. So at first only that subject is refused at once;
 * all are once a text of the service's own has failed as well.
 */
export function createCallHealth({ clock, probe }: CallHealthOptions): CallHealth {
  const ofModels = new Map<string, Failure>()
  const ofSubjects = createSharedEntries<Failure>(FAILURES_MAX)
  const probed = new Set<string>()

  function fail({ modelName, subject }: Caller, error: DomainError): void {
    const failure = { error, retryAtMs: clock.monotonicMs() + RETRY_MS }
    if (subject !== OWN_SUBJECT) {
      ofSubjects.keep(subject, entryKey(subject, modelName), failure)
      void probeOnce(modelName)
      return
    }
    ofModels.delete(modelName)
    ofModels.set(modelName, failure)
    dropOldest(ofModels, MODELS_MAX)
  }

  /** Probes the model, unless a probe is under way: many failures at once cause one probe. */
  async function probeOnce(modelName: string): Promise<void> {
    if (probed.has(modelName)) return
    probed.add(modelName)
    await timed({ modelName, subject: OWN_SUBJECT }, () => probe(modelName)).catch(() => undefined)
    probed.delete(modelName)
  }

  async function timed<Value>(caller: Caller, run: () => Promise<Value>): Promise<Value> {
    const late = () => unavailable('The embedder did not answer in time')
    try {
      const value = await withTimeLimit(run(), { clock, limitMs: CALL_MS_MAX, late })
      ofModels.delete(caller.modelName)
      ofSubjects.delete(entryKey(caller.subject, caller.modelName))
      return value
    } catch (error) {
      if (
        isDomainError(error) &&
        error.code === 'embedder_unavailable' &&
        !(error instanceof TextsRefusedError) &&
        !(error instanceof CallerGoneError)
      )
        fail(caller, error)
      throw error
    }
  }

  return {
    async call(caller, run) {
      const known = [ofModels.get(caller.modelName), ofSubjects.get(entryKey(caller.subject, caller.modelName))]
      const failures = known.filter((failure) => failure !== undefined)
      for (const { error, retryAtMs } of failures) if (clock.monotonicMs() < retryAtMs) throw error
      // This caller tries. Nobody else does until it has an outcome, for at most the duration of a call.
      for (const failure of failures) failure.retryAtMs = clock.monotonicMs() + CALL_MS_MAX
      return timed(caller, run)
    },
    isFailing: (modelName) => ofModels.has(modelName)
  }
}
