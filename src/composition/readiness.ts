/** Readiness of the service's dependencies. Many balancers ask often and at once; each dependency is probed about once a second. */
import { withTimeLimit } from '../time-limit.js'
import { DomainError, isDomainError } from '../domain/errors.js'
import type { CheckResult, Readiness } from '../http/contract/contracts.js'
import type { Clock } from '../ports.js'

/** Milliseconds after which a probe counts as failed. Balancers commonly give up on the whole answer after a few seconds. */
const PROBE_MS_MAX = 2_000

/** Milliseconds for which a result is reused, good or bad: short compared with the seconds between two checks of one balancer. */
const RESULT_TTL_MS = 1_000

/** Resolves when the dependency answers, else rejects. Has to settle eventually; a late one is not waited for. */
export type Probe = () => Promise<void>

interface ReadinessOptions {
  readonly clock: Clock
  /** Interface, Other shapes: the probes by the names of their checks. A missing one is reported as not configured. */
  readonly probes: { readonly [Name in keyof Readiness['checks']]?: Probe }
}

/** Runs all checks. Concurrent calls share one probe per dependency. */
type CheckAll = () => Promise<Pick<Readiness, 'ready' | 'checks'>>

/** A failed check reads `"error: …"` with the message of a DomainError, which is safe to tell, or with no details of any other error. */
export function createReadiness({ clock, probes }: ReadinessOptions): CheckAll {
  const checks = Object.entries(probes).map(([name, probe]) => ({ name, check: createCheck(probe, clock) }))
  return async () => {
    const results = await Promise.all(checks.map(async ({ name, check }) => [name, await check()] as const))
    return {
      ready: results.every(([, result]) => result === 'ok'),
      checks: { redis: 'not_configured', database: 'not_configured', embedder: 'not_configured', ...Object.fromEntries(results) }
    }
  }
}

function createCheck(probe: Probe, clock: Clock): () => Promise<CheckResult> {
  let last: Promise<CheckResult> | null = null
  let freshUntilMs = Infinity
  return () => {
    if (last === null || clock.monotonicMs() >= freshUntilMs) {
      freshUntilMs = Infinity
      last = resultOf(probe, clock)
      void last.then(() => (freshUntilMs = clock.monotonicMs() + RESULT_TTL_MS))
    }
    return last
  }
}

async function resultOf(probe: Probe, clock: Clock): Promise<CheckResult> {
  const late = () => new DomainError('deadline_passed', 'No answer came in time')
  try {
    await withTimeLimit(probe(), { clock, limitMs: PROBE_MS_MAX, late })
    return 'ok'
  } catch (error) {
    return `error: ${isDomainError(error) ? error.message : 'Not available'}`
  }
}
