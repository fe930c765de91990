/** Structured logs. Fastify owns the logging library, so the logger is taken from it. */
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { toLogFields, toLogMessage } from './log-fields.js'

/** Destination of log lines. `write` may report lines lost before this one: how many, and why. */
export interface LogDestination {
  write(line: string): { readonly lines: number; readonly code: string } | null | void
}

/** Creates the logger of the whole service. Levels as in `SERVICE_LOG_LEVEL`. Fields of all callers pass through `log-fields.ts`. */
export function createLogger({ level, destination }: { level: string; destination: LogDestination }): FastifyBaseLogger {
  const stream = {
    write(line: string) {
      const lost = destination.write(line) ?? null
      if (lost !== null) app.log.warn(lost, 'Log lines could not be written')
    }
  }
  const app = Fastify({
    logger: {
      level,
      hooks: {
        logMethod(args: readonly unknown[], method) {
          const [first, second] = args
          // Without a message the library would use the error's own, and insert further arguments into it.
          if (typeof first === 'object' && first !== null)
            method.call(this, toLogFields(first), typeof second === 'string' ? toLogMessage(second) : '')
          else method.call(this, {}, typeof first === 'string' ? toLogMessage(first) : '')
        }
      },
      stream
    }
  })
  return app.log
}
