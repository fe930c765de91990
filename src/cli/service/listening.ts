/** Options for the address on which a started service listens. */
import { isTaken } from '../../config.js'
import { allowedValues } from '../../variables.js'
import { usageFailure } from '../console/failure.js'

interface ListeningOptions {
  readonly host?: string | undefined
  readonly port?: string | undefined
}

/** Throws CommandFailure for values that the corresponding variables would refuse: the command line is at fault, not a setting. */
export function checkListening({ host, port }: ListeningOptions): void {
  if (port !== undefined && !isTaken('SERVICE_PORT', port)) throw usageFailure(`--port must be ${allowedValues('SERVICE_PORT')}.`)
  if (host !== undefined && !isTaken('SERVICE_HOST', host)) throw usageFailure(`--host must be ${allowedValues('SERVICE_HOST')}.`)
}
