/** Worker processes that share one port, and the message line between each of them and the process that started them. */
import cluster, { type Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import { STOP_MS_MAX } from '../domain/limits.js'
import type { Cancel, Clock, Logger } from '../ports.js'
import { introduce, listenForMeetings, type NamedWorker } from './worker-pairs.js'

/** Milliseconds before an ended worker is restarted, so that one which ends at once does not keep a processor busy. */
const RESTART_MS = 1_000

/** Milliseconds between two signs of life of a worker. */
const ALIVE_MS = 5_000

/**
 * Signs of life that must be missing in a row for a worker to be killed, 30 seconds: no request is answered later. The others have taken
 * its sessions over long before, but clients connected with it would wait for ever.
 */
const MISSED_MAX = 6

/** The sign of life. */
const ALIVE = 'alive'

/** Sent back by the process that started a worker. */
const ECHO = 'echo'

/** Milliseconds from the signal until a worker that has not ended is killed: a little more than it needs at most. */
const KILL_MS = STOP_MS_MAX + 500

/** One end of a line between two processes. Messages to a process that has ended are dropped. */
interface ProcessLine<Sent, Heard> {
  readonly name: string
  /** Calls `written` once the message has left this process, or cannot leave it any more. */
  send(message: Sent, written?: () => void): void
  listen(listener: (message: Heard) => void): void
}

/** A worker's end of its line. */
interface LineToStarter<Sent, Heard> extends ProcessLine<Sent, Heard> {
  /**
   * Resolves once every connection has come that the process that started the worker had for it at the time of the call. May never resolve
   * while that process stands still.
   */
  handedOver(): Promise<void>
  /** Calls `listener` with the end of each line to another worker, and its name. */
  meet(listener: (name: string, socket: Socket) => void): void
}

export interface WorkerProcesses {
  /** Resolves to the exit code of a worker that could not start while no worker was listening, or to 0 once all were stopped. */
  readonly ended: Promise<number>
  /** Asks every worker to finish, with SIGTERM, and kills those that have not after `KILL_MS`. Idempotent. */
  stop(): void
}

interface WorkersOptions<Sent, Heard> {
  /** Names of the workers. The first one starts alone. */
  readonly names: readonly string[]
  /** Path of the program that each worker runs. */
  readonly program: string
  /** Environment variables in addition to those of this process. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly logger: Logger
  /** Called when a process starts; the returned function is called when it has ended. */
  readonly connected: (line: ProcessLine<Sent, Heard>) => () => void
  /** Whether workers get lines to each other once they listen. */
  readonly areIntroduced: boolean
}

/** Returns this process's line if it is a worker; else null. */
export function lineToStarter<Sent, Heard>(): LineToStarter<Sent, Heard> | null {
  // The worker's only argument: see `start`.
  const name = process.argv[2]
  if (!cluster.isWorker || name === undefined) return null
  const echoes: (() => void)[] = []
  process.on('message', (message) => (message === ECHO ? echoes.shift()?.() : undefined))
  return {
    name,
    send: inBatches<Sent>((batch, written) => {
      if (process.connected) process.send?.(batch, undefined, undefined, written)
    }),
    listen: (listener) => void process.on('message', eachOf(listener)),
    meet: listenForMeetings,
    async handedOver() {
      // Connections come over the same line as messages, in order.
      if (process.connected && process.send?.(ECHO, undefined, undefined, ignoreBroken) !== undefined)
        await new Promise<void>((resolve) => echoes.push(resolve))
    }
  }
}

/**
 * Keeps this worker and the process that started it aware of each other: that one hears signs of life, and when it has ended, `listener` is
 * called, which ends this worker. No-op outside of a worker.
 */
export function attachToStarter({ clock, starterGone }: { readonly clock: Clock; readonly starterGone: () => void }): void {
  const { worker } = cluster
  if (worker === undefined) return
  const signal = (): void => {
    if (process.connected) process.send?.(ALIVE, undefined, undefined, ignoreBroken)
    clock.after(ALIVE_MS, signal)
  }
  signal()
  // Otherwise Node.js would end this process at once, in the middle of its work.
  worker.exitedAfterDisconnect = true
  worker.on('error', ignoreBroken)
  process.once('disconnect', starterGone)
}

/**
 * Starts one worker, and the others once it listens, so that a single one creates what all of them need. A worker that ends is restarted,
 * unless it could not start while no worker is listening. One that stands still is killed.
 */
export function startWorkers<Sent, Heard>(options: WorkersOptions<Sent, Heard>): WorkerProcesses {
  const { names, program, env, clock, logger, connected, areIntroduced } = options
  const running = new Set<Worker>()
  const listening = new Map<Worker, NamedWorker>()
  const handed: Handed = new WeakMap()
  let isStopping = false
  let hasServed = false
  let end: (code: number) => void = () => undefined
  const ended = new Promise<number>((resolve) => (end = resolve))

  function stop(): void {
    if (!isStopping) {
      const cancel = clock.after(KILL_MS, killAll)
      void ended.then(cancel)
    }
    isStopping = true
    for (const worker of running) worker.process.kill('SIGTERM')
    if (running.size === 0) end(0)
  }
  /** A worker that stands still, or one that is still starting, hears no SIGTERM. */
  function killAll(): void {
    for (const worker of running) worker.process.kill('SIGKILL')
  }
  function start(name: string, listens: () => void): void {
    cluster.setupPrimary({ exec: program, args: [name], serialization: 'advanced' })
    const worker = cluster.fork(env)
    running.add(worker)
    const closeUntaken = watchHanded(worker, handed)
    const disconnected = connected({
      name,
      send: inBatches<Sent>((batch, written) => {
        if (worker.isConnected()) worker.process.send(batch, undefined, undefined, written)
      }),
      listen: (listener) => void worker.on('message', eachOf(listener))
    })
    worker.on('message', (message) => {
      if (message === ECHO && worker.isConnected()) worker.process.send(ECHO, undefined, undefined, ignoreBroken)
    })
    let unwatch: Cancel = () => undefined
    worker.once('listening', () => {
      const self = { name, worker }
      for (const other of areIntroduced ? listening.values() : []) void introduce(self, other)
      listening.set(worker, self)
      hasServed = true
      unwatch = watchAlive(worker, clock, () => {
        logger.error({ worker: name }, 'a worker stands still, and is killed')
        worker.process.kill('SIGKILL')
      })
      listens()
    })
    worker.once('exit', over)
    // For a process that could not be created this is the only event. Otherwise only the line broke, and `exit` follows.
    worker.on('error', () => (worker.process.pid === undefined ? over(null) : undefined))

    function over(code: number | null): void {
      running.delete(worker)
      unwatch()
      const hasListened = listening.delete(worker)
      disconnected()
      closeUntaken()
      if (isStopping) {
        if (running.size === 0) end(0)
        return
      }
      logger.error({ worker: name, code }, 'a worker ended')
      // What keeps one worker from starting keeps all of them from starting, but those already listening can go on. A kill says nothing of
      // the next start.
      if (!hasListened && listening.size === 0 && !(hasServed && code === null)) {
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

/**
 * Calls `lost` when the worker has given no sign of life for too long. What counts is how often this process has looked, so that time in
 * which it stood still itself is not held against the worker.
 */
function watchAlive(worker: Worker, clock: Clock, lost: () => void): Cancel {
  let missed = 0
  let cancel: Cancel = () => undefined
  const lookLater = (): void => {
    cancel = clock.after(ALIVE_MS, () => {
      missed += 1
      if (missed < MISSED_MAX) lookLater()
      else lost()
    })
  }
  worker.on('message', (message) => {
    if (message === ALIVE) missed = 0
  })
  lookLater()
  return () => cancel()
}

/** The worker that last received each connection. */
type Handed = WeakMap<Connection, Worker>

/** Node.js's handle, before it becomes a socket. Closing it twice is harmless. */
interface Connection {
  close(): void
}

/**
 * Returns a function that closes the connection which was sent to the worker but not accepted when it ended. Node.js would leave it open,
 * and its client waiting. There is at most one, because the next is sent only once it is accepted.
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
    // A connection that a worker rejected was sent to another one.
    if (last !== undefined && handed.get(last) === worker) last.close()
  }
}

/** Sends what this iteration of the event loop has for the other process as one message: each costs both of them a system call. */
function inBatches<Sent>(post: (batch: Sent[], written: () => void) => void): ProcessLine<Sent, unknown>['send'] {
  let batch: Sent[] = []
  let written: (() => void)[] = []
  function flush(): void {
    const [sent, left] = [batch, written]
    batch = []
    written = []
    post(sent, () => {
      for (const each of left) each()
    })
  }
  return (message, done) => {
    if (batch.push(message) === 1) setImmediate(flush)
    if (done !== undefined) written.push(done)
  }
}

/** Passes on what was sent in batches, and none of the signs between the processes. */
function eachOf(listener: (message: never) => void): (batch: unknown) => void {
  return (batch) => {
    if (Array.isArray(batch)) for (const message of batch as never[]) listener(message)
  }
}

/** Ignores that the other process ended while a message was being sent. */
function ignoreBroken(): void {}
