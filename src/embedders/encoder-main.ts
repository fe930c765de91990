/** Main program of the process that runs one model. Its messages are typed in `encoder-process.ts`. */
import process from 'node:process'
import type { EncoderReply, EncoderRequest, EncoderTask } from './encoder-process.js'
import { loadEncoder } from './transformers-runtime.js'

// The service decides when this process ends: a signal to the whole process group must not kill it while it computes.
process.on('SIGTERM', () => undefined)
process.on('SIGINT', () => undefined)
process.on('disconnect', () => process.exit(0))

const { files, config } = JSON.parse(process.argv[2] ?? '{}') as EncoderTask

// A model that cannot be loaded ends the process: the rejection is uncaught on purpose.
const encoder = await loadEncoder(files, config)
reply({ kind: 'ready', width: encoder.width })

process.on('message', (request: EncoderRequest) => {
  encoder.encode(request.texts).then(
    (vectors) => reply({ kind: 'vectors', id: request.id, vectors }),
    // The error itself is not sent: the runtime's messages may quote paths.
    () => reply({ kind: 'refused', id: request.id })
  )
})

function reply(message: EncoderReply): void {
  // Errors are ignored: without a parent nobody listens, and `disconnect` ends the process.
  process.send?.(message, undefined, {}, () => undefined)
}
