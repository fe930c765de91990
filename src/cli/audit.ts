/** Command line of the audit trails: `npm run audit -- [SUBJECT…]`. Reads only, so it may run beside the service. */
import { parseArgs } from 'node:util'
import { openDurableStorage } from '../composition/durable-storage.js'
import { EXIT_CONFIG, exitCodeOf } from '../composition/start-refusal.js'
import { ConfigError, processEnvironment, readConfig } from '../config.js'
import { createSystemClock } from '../platform/clock.js'
import type { AuditTrails, AuditVerdict, Logger } from '../ports.js'

const USAGE = `Usage:
  audit [SUBJECT…]
      Verifies the audit trails of these licence subjects, or of all there are, in the storage that the service's own
      variables name. Prints a line for each: the number of its entries, or the first entry that is not as it was
      written. Redis and MongoDB keep no names of subjects: there, a trail that was not asked for goes by the SHA-256
      of its subject, in base64url.
  audit --help

Exit codes: 0 all are intact, 1 one is broken or could not be read, 78 the variables do not fit.
`

const EXIT_BROKEN = 1

const PROBLEMS = { missing: 'is missing', changed: 'was changed', unlinked: 'does not follow from its chain' } as const

const SILENT: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help === true) {
    process.stdout.write(USAGE)
    return
  }
  const { storage: config } = readConfig(processEnvironment())
  if (config.backend === 'memory') throw new ConfigError(['There is no audit trail: sessions are kept in memory only.'])
  const storage = await openDurableStorage(config, { clock: createSystemClock(), logger: SILENT })
  try {
    for await (const { trail, verdict } of positionals.length === 0 ? storage.verifyAudits() : verifyNamed(storage, positionals)) {
      process.stdout.write(`${quoted(trail)}: ${describe(verdict)}\n`)
      if (!verdict.isIntact) process.exitCode = EXIT_BROKEN
    }
  } finally {
    await storage.close()
  }
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

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The audit trails could not be read'}\n`)
  process.exitCode = exitCodeOf(error) === EXIT_CONFIG ? EXIT_CONFIG : EXIT_BROKEN
})
