/** Where a service of this command line listens, as options say it. */
import { isTaken } from '../../config.js'
import { allowedValues } from '../../variables.js'
import { usageFailure } from '../console/failure.js'

export interface ListeningOptions {
  readonly host?: string | undefined
  readonly port?: string | undefined
}

/** Throws CommandFailure for what the variables of the same meaning would not take: then the command line is wrong, and no setting. */
export function checkListening({ host, port }: ListeningOptions): void {
  if (port !== undefined && !isTaken('SERVICE_PORT', port)) throw usageFailure(`--port must be ${allowedValues('SERVICE_PORT')}.`)
  if (host !== undefined && !isTaken('SERVICE_HOST', host)) throw usageFailure(`--host must be ${allowedValues('SERVICE_HOST')}.`)
}
