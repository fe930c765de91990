/** How a command fails: with one sentence on the standard error, and an exit code that says what a script may do about it. */

/** Exit codes of `engram`. Those of a service that cannot start are `sysexits.h`'s: `src/composition/start-refusal.ts`. */
export const EXIT = {
  /** The command could not do what it was asked, or found what it was to look for broken. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The service cannot be reached, or does not take the token. */
  unreachable: 3,
  /** Part of the work is done, and the same command goes on where it was. */
  resumable: 4,
  /** Ctrl-C, by the convention of shells: 128 and the number of SIGINT. */
  interrupted: 130
} as const

/** A failure that the reader is told of as it stands: its message quotes no token. */
export class CommandFailure extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.failed, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandFailure'
    this.exitCode = exitCode
  }
}

/** The command line is wrong in a way that its parser does not see. */
export function usageFailure(message: string): CommandFailure {
  return new CommandFailure(message, EXIT.usage)
}
