/** Structured logs. Fastify owns the logging library, so it is asked for one. */
import Fastify, { type FastifyBaseLogger } from 'fastify'

/** Where log lines go; standard output when none is given. */
export interface LogDestination {
  write(line: string): void
}

/** Fields that must not be written even by mistake, at the top of a line's fields or one level below. */
const SECRETS = [
  'authorization',
  'token',
  'license',
  'password',
  'apiKey',
  'text',
  'message',
  'response',
  'embedding',
  'vector',
  'body',
  'query'
]

/** A logger for the whole service. Levels as in `SERVICE_LOG_LEVEL`. */
export function createLogger({ level, destination }: { level: string; destination?: LogDestination }): FastifyBaseLogger {
  const paths = SECRETS.flatMap((name) => [name, `*.${name}`])
  const app = Fastify({
    logger: {
      level,
      redact: { paths: [...paths, '*["x-api-key"]', 'headers'], censor: '[redacted]' },
      ...(destination !== undefined && { stream: destination })
    }
  })
  return app.log
}
