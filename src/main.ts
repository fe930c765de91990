/** Entry point without a command line, for containers and workers. */
import { serve } from './cli/commands/serve.js'
import { exitCodeOf } from './composition/start-refusal.js'

serve().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The service could not start'}\n`)
  process.exit(exitCodeOf(error))
})
