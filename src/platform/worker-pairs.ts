/** Lines between two workers of one machine, made by the process that starts them: pairs of connected sockets, an end for each. */
import type { Worker } from 'node:cluster'
import { once, setMaxListeners } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface NamedWorker {
  readonly name: string
  readonly worker: Worker
}

/** Sent to a worker with its end: the name of the worker at the other one. */
interface Meeting {
  readonly meet: string
}

/** Gives each of two workers one end of a new line. Where none can be made, as without a folder for it, they go without. */
export async function introduce(one: NamedWorker, other: NamedWorker): Promise<void> {
  const ends = await createPair().catch(() => null)
  if (ends === null) return
  hand(one.worker, { meet: other.name }, ends[0])
  hand(other.worker, { meet: one.name }, ends[1])
}

/** Calls `listener` with each end that this worker is given, and the name of the worker at the other one. */
export function listenForMeetings(listener: (name: string, socket: Socket) => void): void {
  process.on('message', (message: Partial<Meeting> | null, socket: unknown) => {
    if (typeof message?.meet === 'string' && socket !== undefined) listener(message.meet, socket as Socket)
  })
}

async function createPair(): Promise<[Socket, Socket]> {
  // No other user may enter it, so that there is nobody else at either end.
  const folder = await mkdtemp(join(tmpdir(), 'engram-'))
  const path = join(folder, 'pair')
  const server = createServer({ pauseOnConnect: true })
  try {
    await once(server.listen(path), 'listening')
    // Paused: this process reads nothing of what is meant for a worker.
    const end = connect(path).pause()
    const [[otherEnd]] = (await Promise.all([once(server, 'connection'), once(end, 'connect')])) as [[Socket], unknown]
    return [end, otherEnd]
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A worker that has ended meanwhile gets nothing, and the other end closes. */
function hand(worker: Worker, meeting: Meeting, end: Socket): void {
  const { process: child } = worker
  const drop = (): void => void end.destroy()
  if (!child.connected) return drop()
  // An end that waits to be sent would stay open. A worker may be introduced to any number of others at once.
  setMaxListeners(0, worker)
  worker.once('exit', drop)
  child.send(meeting, end, undefined, (error) => {
    worker.off('exit', drop)
    if (error !== null) drop()
  })
}
