/** Structured logs. Fastify owns the logging library, so it is asked for one. */
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { toLogFields, toLogMessage } from './log-fields.js'

/** Where log lines go. It may say what it lost before this line: how many, and why. */
export interface LogDestination {
  write(line: string): { readonly lines: number; readonly code: string } | null | void
}

/**
 * A logger for the whole service. Levels as in `SERVICE_LOG_LEVEL`. Whatever is logged, by whomever, goes through `log-fields.ts` first.
 */
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
          // The library would take the message of an error that comes without one, and put further arguments into it.
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
