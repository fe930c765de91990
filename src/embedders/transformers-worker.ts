/** The thread that runs one model. Its messages are typed in `encoder-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import type { EncoderRequest, EncoderReply, EncoderThreadData } from './encoder-thread.js'
import { loadEncoder } from './transformers-runtime.js'

const port = parentPort
if (port === null) throw new Error('This file runs in a worker thread')
const { files, config } = workerData as EncoderThreadData

// A model that cannot be loaded ends the thread: the rejection is uncaught on purpose.
const encoder = await loadEncoder(files, config)
send({ kind: 'ready', width: encoder.width })

port.on('message', (request: EncoderRequest) => {
  encoder.encode(request.texts).then(
    (vectors) => send({ kind: 'vectors', id: request.id, vectors }),
    // Not the error itself: the runtime's messages may quote paths.
    () => send({ kind: 'refused', id: request.id })
  )
})

function send(reply: EncoderReply): void {
  const buffers = reply.kind === 'vectors' ? reply.vectors.map((vector) => vector.buffer as ArrayBuffer) : []
  port?.postMessage(reply, buffers)
}
