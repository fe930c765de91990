/** `engram verify-audit`: whether the audit trails are as they were written. Reads only, so it may run beside the service. */
import { openDurableStorage } from '../../composition/durable-storage.js'
import { ConfigError, processEnvironment, readConfig } from '../../config.js'
import { createSystemClock } from '../../platform/clock.js'
import { SILENT } from '../../platform/silent-logger.js'
import type { AuditTrails, AuditVerdict } from '../../ports.js'
import { EXIT } from '../console/failure.js'
import { createOutput } from '../console/output.js'

const PROBLEMS = { missing: 'is missing', changed: 'was changed', unlinked: 'does not follow from its chain' } as const

export interface VerifyAuditOptions {
  readonly json?: true
}

/** Prints a line for each trail: of these licence subjects, or of all. Exit code 1 when one is broken. */
export async function verifyAudit(subjects: readonly string[], { json }: VerifyAuditOptions): Promise<void> {
  const { storage: config } = readConfig(processEnvironment())
  if (config.backend === 'memory') throw new ConfigError(['There is no audit trail: sessions are kept in memory only.'])
  const output = createOutput()
  const storage = await openDurableStorage(config, { clock: createSystemClock(), logger: SILENT })
  try {
    for await (const { trail, verdict } of subjects.length === 0 ? storage.verifyAudits() : verifyNamed(storage, subjects)) {
      if (json === true) output.json(toJson(trail, verdict))
      else output.line(`${quoted(trail)}: ${describe(verdict)}`)
      if (!verdict.isIntact) process.exitCode = EXIT.failed
    }
  } finally {
    await storage.close()
  }
}

function toJson(trail: string, verdict: AuditVerdict): object {
  return verdict.isIntact
    ? { trail, intact: true, entries: verdict.entries }
    : { trail, intact: false, seq: verdict.seq, problem: verdict.problem }
}

async function* verifyNamed(storage: AuditTrails, subjects: readonly string[]) {
  for (const trail of subjects) yield { trail, verdict: await storage.verifyAudit(trail) }
}

function describe(verdict: AuditVerdict): string {
  if (!verdict.isIntact) return `broken: entry ${String(verdict.seq)} ${PROBLEMS[verdict.problem]}`
  return `${String(verdict.entries)} ${verdict.entries === 1 ? 'entry' : 'entries'}, ok`
}

/** As it is where it reads as one word, else as JSON: a subject may be any text, and each has one line. */
function quoted(trail: string): string {
  return /^[\w.@+/=-]+$/.test(trail) ? trail : JSON.stringify(trail)
}
