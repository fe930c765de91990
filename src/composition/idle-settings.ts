/** Warnings of settings without effect. */
import { type Config, type Environment, readIdleSettings } from '../config.js'
import { createLogger } from '../http/plugins/logger.js'
import { readProcessors } from '../platform/machine.js'
import { createLogOutput } from '../platform/log-output.js'

/** Logs each variable that is set and changes nothing, although somebody expects that it does. */
export function warnOfIdleSettings(env: Environment, { logLevel: level }: Config): void {
  const idle = readIdleSettings(env, readProcessors())
  if (idle.length === 0) return
  const logger = createLogger({ level, destination: createLogOutput() })
  for (const { variable, reason } of idle) logger.warn({ variable, reason }, 'A setting has no effect')
}
