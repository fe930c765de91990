#!/usr/bin/env node
/** `engram`: the command line. Each command is loaded when it is called, so that help, completion and a start load nothing else. */
import { CommanderError } from 'commander'
import { CommandFailure, EXIT } from './console/failure.js'
import { createProgram } from './program.js'

/** Maps the parser's errors, which it has already printed; requested help is no failure. */
function exitCodeOfParser({ exitCode }: CommanderError): number {
  return exitCode === 0 ? 0 : EXIT.usage
}

async function main(): Promise<void> {
  try {
    if (/^(-V|--version)$/.test(process.argv[2] ?? '')) {
      const { readVersion } = await import('./commands/version.js')
      process.stdout.write(`${readVersion()}\n`)
      return
    }
    await createProgram().parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = exitCodeOfParser(error)
      return
    }
    process.stderr.write(`${error instanceof Error ? error.message : 'The command failed'}\n`)
    process.exitCode = error instanceof CommandFailure ? error.exitCode : await exitCodeOfService(error)
    // A service that failed to start may have left handles open.
    process.exit()
  }
}

/** The service's exit codes say whether its settings have to change. */
async function exitCodeOfService(error: unknown): Promise<number> {
  const { EXIT_FAILED, exitCodeOf } = await import('../composition/start-refusal.js')
  const code = exitCodeOf(error)
  return code === EXIT_FAILED ? EXIT.failed : code
}

// A reader that stops early, such as `head`, is no failure. A full disk is a failure, but not a bug.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0)
  process.stderr.write(`The standard output cannot be written (${code ?? 'unknown'}).\n`)
  process.exit(EXIT.failed)
})

await main()
