/**
 * The connections of the server. Answers end with theirs: a client may send several requests without waiting (RFC 9112, 9.3.2), and when it
 * goes, Node.js tells that to the answer which was being written, and to none of those behind it. They would hold their places and memory
 * for ever. And those on which no request is under way are bounded in number, for each may have sent nearly all of its headers.
 */
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Http } from '../contract/contracts.js'

/**
 * To be registered before whatever waits for the end of an answer. Of more than `idleMax` connections without a request under way the one
 * that has been so for longest is closed: a client that keeps many open keeps nobody else out.
 */
export function registerConnections(app: Http, { idleMax = Infinity }: { readonly idleMax?: number | undefined } = {}): void {
  const open = new WeakMap<Socket, Set<ServerResponse>>()
  /** Longest without a request first. */
  const idle = new Set<Socket>()

  function rest(socket: Socket): void {
    if (socket.destroyed) return
    idle.add(socket)
    const [oldest] = idle
    if (idle.size > idleMax) oldest?.destroy()
  }

  function answersOf(socket: Socket): Set<ServerResponse> {
    const known = open.get(socket)
    if (known !== undefined) return known
    const answers = new Set<ServerResponse>()
    open.set(socket, answers)
    socket.once('close', () => [...answers].forEach(endUnwritten))
    return answers
  }

  app.server.on('connection', (socket) => {
    socket.once('close', () => idle.delete(socket))
    rest(socket)
  })
  app.addHook('onRequest', (request, { raw }, done) => {
    const { socket } = request.raw
    // A request that is injected has none.
    if (!(socket instanceof Socket)) return done()
    const answers = answersOf(socket)
    answers.add(raw)
    idle.delete(socket)
    const over = (): void => {
      if (answers.delete(raw) && answers.size === 0) rest(socket)
    }
    raw.once('finish', over)
    raw.once('close', over)
    done()
  })
}

/** As Node.js does with the one that has the connection: it cannot be written any more, and those that wait for it are told. */
function endUnwritten(answer: ServerResponse): void {
  if (answer.socket !== null || answer.destroyed) return
  answer.destroy()
  answer.emit('close')
}
