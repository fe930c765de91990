/** `engram verify-audit`: checks that the audit trails are unchanged. Read-only, so it may run beside the service. */
import { ConfigError, processEnvironment, readStorageConfig } from '../../config.js'
import { createSystemClock } from '../../platform/clock.js'
import { SILENT } from '../../platform/silent-logger.js'
import type { AuditTrails, AuditVerdict } from '../../ports.js'
import { CommandFailure, EXIT } from '../console/failure.js'
import { createOutput } from '../console/output.js'
import { openKeptStorage } from '../service/kept-storage.js'

const PROBLEMS = { missing: 'is missing', changed: 'was changed', unlinked: 'does not follow from its chain' } as const

export interface VerifyAuditOptions {
  readonly json?: true
}

/** Prints a line per trail, for these licence subjects or for all. Exit code 1 when one is broken or missing, or there is none. */
export async function verifyAudit(subjects: readonly string[], { json }: VerifyAuditOptions): Promise<void> {
  const config = readStorageConfig(processEnvironment())
  if (config.backend === 'memory') throw new ConfigError(['There is no audit trail: sessions are kept in memory only.'])
  const output = createOutput()
  const storage = await openKeptStorage(config, { clock: createSystemClock(), logger: SILENT })
  let trails = 0
  try {
    for await (const { trail, verdict } of subjects.length === 0 ? storage.verifyAudits() : verifyNamed(storage, subjects)) {
      trails += 1
      if (json === true) output.json(toJson(trail, verdict))
      else output.line(`${quoted(trail)}: ${describe(verdict)}`)
      if (!verdict.isIntact || isMissing(verdict)) process.exitCode = EXIT.failed
    }
    // Missing trails must not pass for intact ones.
    if (trails === 0) throw new CommandFailure('No audit trail was found.')
  } finally {
    await storage.close()
  }
}

/** Every trail has at least one entry. */
function isMissing(verdict: AuditVerdict): boolean {
  return verdict.isIntact && verdict.entries === 0
}

function toJson(trail: string, verdict: AuditVerdict): object {
  if (isMissing(verdict)) return { trail, intact: false, problem: 'no trail' }
  return verdict.isIntact
    ? { trail, intact: true, entries: verdict.entries }
    : { trail, intact: false, seq: verdict.seq, problem: verdict.problem }
}

async function* verifyNamed(storage: AuditTrails, subjects: readonly string[]) {
  for (const trail of subjects) yield { trail, verdict: await storage.verifyAudit(trail) }
}

function describe(verdict: AuditVerdict): string {
  if (!verdict.isIntact) return `broken: entry ${String(verdict.seq)} ${PROBLEMS[verdict.problem]}`
  if (verdict.entries === 0) return 'no trail'
  return `${String(verdict.entries)} ${verdict.entries === 1 ? 'entry' : 'entries'}, ok`
}

/** Returns a single word unchanged, anything else as JSON: a subject may be any text, and each has one line. */
function quoted(trail: string): string {
  return /^[\w.@+/=-]+$/.test(trail) ? trail : JSON.stringify(trail)
}
