/**
 * Ends the answers of a connection with it. A client may send several requests without waiting (RFC 9112, 9.3.2): when it goes, Node.js tells
 * that to the answer which was being written, and to none of those behind it. They would hold their places and memory for ever.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Http } from './contracts.js'

/** To be registered before whatever waits for the end of an answer. */
export function registerConnectionEnds(app: Http): void {
  const open = new WeakMap<Socket, Set<ServerResponse>>()

  function answersOf(socket: Socket): Set<ServerResponse> {
    const known = open.get(socket)
    if (known !== undefined) return known
    const answers = new Set<ServerResponse>()
    open.set(socket, answers)
    socket.once('close', () => [...answers].forEach(endUnwritten))
    return answers
  }

  app.addHook('onRequest', (request, { raw }, done) => {
    const answers = answersOf(request.raw.socket)
    answers.add(raw)
    const over = (): boolean => answers.delete(raw)
    raw.once('finish', over)
    raw.once('close', over)
    done()
  })
}

/** As Node.js does with the one that has the connection: it cannot be written any more, and who waits for it is told. */
function endUnwritten(answer: ServerResponse): void {
  if (answer.socket !== null || answer.destroyed) return
  answer.destroy()
  answer.emit('close')
}
