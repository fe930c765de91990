/** Whether everything that the service depends on answers: asked often, by every balancer at once, and probed about once a second. */
import { withTimeLimit } from '../../actors/asking/time-limit.js'
import { DomainError, isDomainError } from '../domain/errors.js'
import type { CheckResult, Readiness } from '../http/contract/contracts.js'
import type { Clock } from '../ports.js'

/** Milliseconds a probe may take before it counts as failed: balancers commonly give up on the whole answer after a few seconds. */
const PROBE_MS_MAX = 2_000

/** Milliseconds that a result holds, good or bad alike: short beside the seconds between two looks of one balancer. */
const RESULT_TTL_MS = 1_000

/** Resolves when the dependency answers, else throws. Calls must settle some time, whatever happens: one that is late is not waited for. */
export type Probe = () => Promise<void>

export interface ReadinessOptions {
  readonly clock: Clock
  /** Interface, Other shapes: the checks by their names there. What is left out is not configured. */
  readonly probes: { readonly [Name in keyof Readiness['checks']]?: Probe }
}

/** What every check says. Calls at the same time share one probe each. */
export type CheckAll = () => Promise<Pick<Readiness, 'ready' | 'checks'>>

/** `"error: …"` tells what a DomainError says, which is safe to tell, and of any other failure nothing. */
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
