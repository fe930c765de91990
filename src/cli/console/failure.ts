/** How a command fails: with one sentence on standard error, and an exit code for scripts. */

/** Exit codes of `engram`. A service that cannot start uses those of `sysexits.h`: `src/composition/start-refusal.ts`. */
export const EXIT = {
  /** The command could not do what it was asked, or what it verified is broken. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The service cannot be reached, or does not accept the token. */
  unreachable: 3,
  /** Part of the work is done; the same command continues it. */
  resumable: 4,
  /** Ctrl-C, by the convention of shells: 128 plus the number of SIGINT. */
  interrupted: 130
} as const

/** A failure whose message is shown as it is. It contains no token. */
export class CommandFailure extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.failed, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandFailure'
    this.exitCode = exitCode
  }
}

/** The command line is wrong in a way that its parser does not detect. */
export function usageFailure(message: string): CommandFailure {
  return new CommandFailure(message, EXIT.usage)
}
