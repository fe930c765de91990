/** Several processes of this program that share one port, and the line that each of them has to the one that started them. */
import cluster, { type Worker } from 'node:cluster'
import type { Clock, Logger } from '../ports.js'

/** Milliseconds before a worker that ended takes its place again: one that ends at once must not keep a processor busy. */
const RESTART_MS = 1_000

/** One end of a line between two processes. What is sent once the other end is gone is dropped. */
export interface ProcessLine<Sent, Heard> {
  readonly name: string
  send(message: Sent): void
  listen(listener: (message: Heard) => void): void
}

export interface WorkerProcesses {
  /** Resolves to the exit code of a worker that could not start while none listened, or to 0 once all were stopped. */
  readonly ended: Promise<number>
  /** Each finishes as a process does that is told to. Twice is fine. */
  stop(): void
}

export interface WorkersOptions<Sent, Heard> {
  /** The first of them starts alone. */
  readonly names: readonly string[]
  /** Path of what each runs. */
  readonly program: string
  /** What is set for it beside the environment of this process. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly logger: Logger
  /** Called for each process that begins; what it returns, when that process has ended. */
  readonly connected: (line: ProcessLine<Sent, Heard>) => () => void
}

/** This process' line, where it is a worker; else null. */
export function lineToStarter<Sent, Heard>(): ProcessLine<Sent, Heard> | null {
  // Its only argument: see `start`.
  const name = process.argv[2]
  if (!cluster.isWorker || name === undefined) return null
  return {
    name,
    send(message) {
      if (process.connected) process.send?.(message, undefined, undefined, ignoreBroken)
    },
    listen: (listener) => void process.on('message', listener)
  }
}

/** Calls `listener` when the process that started this worker has ended: it ends this one. Nothing where it is no worker. */
export function onStarterGone(listener: () => void): void {
  const { worker } = cluster
  if (worker === undefined) return
  // Else Node.js would end this process at once, with all that is under way.
  worker.exitedAfterDisconnect = true
  worker.on('error', ignoreBroken)
  process.once('disconnect', listener)
}

/**
 * Starts one worker, and the others once that one listens: so one alone makes what all of them need. A worker that ends is started again,
 * unless it could not start while none listens.
 */
export function startWorkers<Sent, Heard>(options: WorkersOptions<Sent, Heard>): WorkerProcesses {
  const { names, program, env, clock, logger, connected } = options
  const running = new Set<Worker>()
  const listening = new Set<Worker>()
  const handed: Handed = new WeakMap()
  let isStopping = false
  let end: (code: number) => void = () => undefined
  const ended = new Promise<number>((resolve) => (end = resolve))

  function stop(): void {
    isStopping = true
    for (const worker of running) worker.process.kill('SIGTERM')
    if (running.size === 0) end(0)
  }
  function start(name: string, listens: () => void): void {
    cluster.setupPrimary({ exec: program, args: [name], serialization: 'advanced' })
    const worker = cluster.fork(env)
    running.add(worker)
    const closeUntaken = watchHanded(worker, handed)
    const disconnected = connected({
      name,
      send(message) {
        if (worker.isConnected()) worker.process.send(message as object, undefined, undefined, ignoreBroken)
      },
      listen: (listener) => void worker.on('message', listener)
    })
    worker.once('listening', () => {
      listening.add(worker)
      listens()
    })
    worker.once('exit', over)
    // Of a process that could not be made nothing else tells. Of one that was, its line broke, and its end follows.
    worker.on('error', () => (worker.process.pid === undefined ? over(null) : undefined))

    function over(code: number | null): void {
      running.delete(worker)
      const hasListened = listening.delete(worker)
      disconnected()
      closeUntaken()
      if (isStopping) {
        if (running.size === 0) end(0)
        return
      }
      logger.error({ worker: name, code }, 'a worker ended')
      // What keeps one from starting keeps each of them, but not those from working that have started before.
      if (!hasListened && listening.size === 0) {
        end(code ?? 1)
        stop()
      } else clock.after(RESTART_MS, () => (isStopping ? undefined : start(name, () => undefined)))
    }
  }
  const [first = '', ...others] = names
  start(first, () => {
    for (const name of isStopping ? [] : others) start(name, () => undefined)
  })
  return { ended, stop }
}

/** The worker that a connection was handed to last. */
type Handed = WeakMap<Connection, Worker>

/** As Node.js has it before it is a socket. Closing one twice is fine. */
interface Connection {
  close(): void
}

/**
 * What closes the connection that the worker was handed and had not taken when it ended: Node.js would keep it open, its client wait for
 * an answer. There is one at most: the next one follows when that is taken.
 */
function watchHanded(worker: Worker, handed: Handed): () => void {
  const child = worker.process
  const send = child.send.bind(child) as (...sent: unknown[]) => boolean
  let last: Connection | undefined
  child.send = (message: unknown, connection?: unknown, ...rest: unknown[]): boolean => {
    if ((message as { readonly act?: unknown }).act === 'newconn') {
      last = connection as Connection
      handed.set(last, worker)
    }
    return send(message, connection, ...rest)
  }
  return () => {
    // One that a worker did not want went on to another.
    if (last !== undefined && handed.get(last) === worker) last.close()
  }
}

/** The other process ended while it was sent something. */
function ignoreBroken(): void {}
