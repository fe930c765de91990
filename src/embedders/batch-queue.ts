/** Batches the texts of many callers, fairly across subjects, with bounded queues, deadlines and cancellation. */
import { DomainError } from '../domain/errors.js'
import { createFairQueue } from '../domain/fairness/fair-queue.js'
import { estimateTokens } from '../domain/text/token-estimate.js'
import type { Cancel, Clock } from '../ports.js'
import { cancelled, unavailable } from './cancellation.js'

export interface BatchQueueOptions {
  /** Embeds one batch. `signal` aborts when no caller waits for any of its texts any longer. */
  readonly run: (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>
  readonly clock: Clock
  /** Maximum number of batches under way at once. */
  readonly concurrency: number
  /** Maximum number of texts in a batch. */
  readonly batchTextsMax: number
  /** Maximum estimated tokens in a batch; a longer text gets a batch of its own. */
  readonly batchTokensMax: number
  /**
   * Maximum number of waiting texts; above it, a subject may still use its equal share. A larger call is accepted when no other text of its
   * subject waits, so that bulk loads remain possible.
   */
  readonly queueTextsMax: number
  /** Milliseconds from `submit` to the last vector. */
  readonly deadlineMs: number
}

interface BatchQueue {
  /** Resolves to one vector per text, in order. Throws `busy` when the queue is full, `embedder_unavailable` when cancelled or late. */
  submit(texts: readonly string[], signal: AbortSignal | undefined, subject?: string): Promise<Float32Array[]>
  /** Refuses new calls; resolves when all accepted calls have ended. Safe to call twice. */
  close(): Promise<void>
}

/** The model refused the texts themselves. One caller's text must not fail another's, so the batch is repeated caller by caller. */
export class TextsRefusedError extends DomainError {
  constructor(message: string) {
    super('embedder_unavailable', message)
    this.name = 'TextsRefusedError'
  }
}

/** The model failed, perhaps because of one of the texts. One subject's text must not make another's fail. */
export class TextsFailedError extends DomainError {
  constructor(message: string) {
    super('embedder_unavailable', message)
    this.name = 'TextsFailedError'
  }
}

/** Maximum of remembered subjects whose last batch failed. Beyond it all are forgotten, which costs others one repeated batch. */
const FAILING_MAX = 1_024

/** Subject of the service's own texts, such as those that try out a model. No licence has an empty subject. */
export const OWN_SUBJECT = ''

interface Job {
  readonly subject: string
  readonly texts: readonly string[]
  readonly vectors: Float32Array[]
  readonly batches: Set<Batch>
  /** Index of the first text that is not in a batch yet. */
  next: number
  missing: number
  isSettled: boolean
  settle(outcome: { vectors: Float32Array[] } | { error: unknown }): void
}

interface Item {
  readonly job: Job
  readonly index: number
}

interface Batch {
  readonly items: Item[]
  readonly controller: AbortController
}

/**
 * Creates a queue. Texts that arrive while a batch is under way form the next batch. Subjects take turns text by text, the one charged the
 * fewest tokens first, and so do the callers of one subject: a bulk load does not delay the single message of another session. A batch that
 * fails, possibly because of its texts, is run again by subject.
 */
export function createBatchQueue(options: BatchQueueOptions): BatchQueue {
  const waiting = createFairQueue<Job>()
  let waitingTexts = 0
  const textsOf = new Map<string, number>()
  /** Subjects whose last batch failed. Their texts form batches of their own, so that no other subject's texts are run again. */
  const failing = new Set<string>()
  let running = 0
  let isClosed = false
  let isPumpPlanned = false
  const open = new Set<Promise<unknown>>()

  function count(subject: string, texts: number): void {
    waitingTexts += texts
    const own = (textsOf.get(subject) ?? 0) + texts
    if (own === 0) textsOf.delete(subject)
    else textsOf.set(subject, own)
  }
  function hasRoom(subject: string, texts: number): boolean {
    const own = textsOf.get(subject) ?? 0
    return own === 0 || waitingTexts + texts <= options.queueTextsMax || own + texts <= options.queueTextsMax / waiting.subjects()
  }

  function planPump(): void {
    if (isPumpPlanned) return
    isPumpPlanned = true
    queueMicrotask(() => {
      isPumpPlanned = false
      while (running < options.concurrency) {
        const batch = takeBatch()
        if (batch === null) return
        void runBatch(batch)
      }
    })
  }

  function takeBatch(): Batch | null {
    const batch: Batch = { items: [], controller: new AbortController() }
    let tokens = 0
    const first = waiting.peek()?.subject ?? OWN_SUBJECT
    const goesAlong = (subject: string): boolean => subject === first || !(failing.has(subject) || failing.has(first))
    for (let job = waiting.peek(); job !== undefined && batch.items.length < options.batchTextsMax; job = waiting.peek()) {
      if (!goesAlong(job.subject)) break
      const own = estimateTokens(job.texts[job.next] as string)
      tokens += own
      if (tokens > options.batchTokensMax && batch.items.length > 0) break
      waiting.take()
      // Plus one, so that a text without any token is charged too.
      waiting.charge(job.subject, own + 1)
      batch.items.push({ job, index: job.next++ })
      job.batches.add(batch)
      count(job.subject, -1)
      if (job.next < job.texts.length) waiting.push(job.subject, job)
    }
    return batch.items.length === 0 ? null : batch
  }

  async function runBatch(batch: Batch): Promise<void> {
    running++
    await runItems(batch.items, batch.controller.signal)
    for (const { job } of batch.items) job.batches.delete(batch)
    running--
    planPump()
  }

  async function runItems(items: readonly Item[], signal: AbortSignal): Promise<void> {
    const wanted = items.filter(({ job }) => !job.isSettled)
    if (wanted.length === 0) return
    const subjects = new Set(wanted.map(({ job }) => job.subject))
    try {
      const texts = wanted.map(({ job, index }) => job.texts[index] as string)
      const vectors = await options.run(texts, signal)
      for (const subject of subjects) failing.delete(subject)
      wanted.forEach(({ job, index }, position) => {
        job.vectors[index] = vectors[position] as Float32Array
        job.missing--
        if (job.missing === 0) job.settle({ vectors: job.vectors })
      })
    } catch (error) {
      await runApart(wanted, { subjects, error, signal })
    }
  }

  /** Runs a failed batch again in parts: one per subject, so that none waits for another, else one per caller if texts were refused. */
  async function runApart(
    items: readonly Item[],
    { subjects, error, signal }: { readonly subjects: ReadonlySet<string>; readonly error: unknown; readonly signal: AbortSignal }
  ): Promise<void> {
    const isRefused = error instanceof TextsRefusedError
    const isOfTexts = isRefused || error instanceof TextsFailedError
    const jobs = new Set(items.map(({ job }) => job))
    if (isOfTexts && subjects.size > 1) {
      const parts = Array.from(subjects, (subject) => items.filter(({ job }) => job.subject === subject))
      await Promise.all(parts.map((part) => runItems(part, signal)))
      return
    }
    if (isOfTexts) noteFailing(subjects)
    if (isRefused && jobs.size > 1) {
      for (const job of jobs) {
        const part = items.filter((item) => item.job === job)
        await runItems(part, signal)
      }
      return
    }
    for (const job of jobs) job.settle({ error })
  }

  function noteFailing(subjects: ReadonlySet<string>): void {
    if (failing.size >= FAILING_MAX) failing.clear()
    for (const subject of subjects) failing.add(subject)
  }

  /** Drops the waiting texts of a job that has ended, and aborts batches that no job waits for. */
  function withdraw(job: Job): void {
    if (waiting.remove(job.subject, job)) count(job.subject, job.next - job.texts.length)
    for (const batch of job.batches) {
      if (batch.items.every((item) => item.job.isSettled)) batch.controller.abort()
    }
  }

  return {
    async submit(texts, signal, subject = OWN_SUBJECT) {
      if (isClosed) throw unavailable('The embedder is closed')
      if (signal?.aborted) throw cancelled(signal)
      if (texts.length === 0) return []
      if (!hasRoom(subject, texts.length)) throw new DomainError('busy', 'Too many texts are waiting for the embedder')
      const promise = new Promise<Float32Array[]>((resolve, reject) => {
        const stops: Cancel[] = []
        const job: Job = {
          subject,
          texts,
          vectors: [],
          batches: new Set(),
          next: 0,
          missing: texts.length,
          isSettled: false,
          settle(outcome) {
            if (job.isSettled) return
            job.isSettled = true
            for (const stop of stops) stop()
            withdraw(job)
            if ('vectors' in outcome) resolve(outcome.vectors)
            else reject(outcome.error)
          }
        }
        stops.push(...watch(job, signal, options))
        waiting.push(subject, job)
        count(subject, texts.length)
        planPump()
      })
      const ended = promise.catch(() => undefined).finally(() => open.delete(ended))
      open.add(ended)
      return promise
    },
    async close() {
      isClosed = true
      await Promise.all(open)
    }
  }
}

/** Ends the job at its deadline or when its caller aborts. Returns functions that cancel both. */
function watch(job: Job, signal: AbortSignal | undefined, { clock, deadlineMs }: BatchQueueOptions): Cancel[] {
  const late = unavailable('The embedder did not answer in time')
  const stops = [clock.after(deadlineMs, () => job.settle({ error: late }))]
  if (signal !== undefined) {
    const onAbort = (): void => job.settle({ error: cancelled(signal) })
    signal.addEventListener('abort', onAbort, { once: true })
    stops.push(() => signal.removeEventListener('abort', onAbort))
  }
  return stops
}
