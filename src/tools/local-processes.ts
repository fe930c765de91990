/** Programs that are started on this machine together, and ended together. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface Program {
  /** Stands before each of its lines. */
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** All that it sees of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether this line of its output says that it can be used. */
  readonly isReady: (line: string) => boolean
  /** Ends it in order. */
  readonly endSignal: NodeJS.Signals
  /** Default: the one that runs this process, and its folder. */
  readonly account?: { readonly uid: number; readonly gid: number }
  readonly cwd?: string
}

export interface LocalProcesses {
  /** Resolves once it is ready. Throws an Error with the end of its output when it ends before, or when all are being stopped. */
  start(program: Program): Promise<void>
  /** Ends them one by one, the last one first, so that none misses what it was started on. Twice is fine. */
  stopAll(): Promise<void>
  /** Resolves to a sentence when a process ends that was not stopped; never on its own account otherwise. */
  readonly lost: Promise<string>
}

interface Running {
  readonly child: ChildProcess
  readonly endSignal: NodeJS.Signals
  readonly ended: Promise<void>
}

/** Milliseconds: a node finishes what is under way for 25 s, then puts its sessions away. */
const END_MS_MAX = 35_000
/** Lines shown of a program that did not start. */
const LAST_LINES = 20

/** None yet. `print` is given each line of each of them, with the name of its writer. */
export function createLocalProcesses(print: (name: string, line: string) => void): LocalProcesses {
  const running: Running[] = []
  let stopping: Promise<void> | undefined
  let reportLoss: (sentence: string) => void = () => undefined
  const lost = new Promise<string>((resolve) => (reportLoss = resolve))

  async function stop(): Promise<void> {
    for (let last = running.pop(); last !== undefined; last = running.pop()) {
      const { child, endSignal, ended } = last
      child.kill(endSignal)
      const patience = setTimeout(() => child.kill('SIGKILL'), END_MS_MAX)
      await ended
      clearTimeout(patience)
    }
  }

  return {
    lost,
    stopAll: () => (stopping ??= stop()),
    async start({ name, command, args, env, isReady, endSignal, account, cwd }) {
      if (stopping !== undefined) throw new Error(`${name} is not started any more`)
      // A group of its own: Ctrl-C in a terminal is for this process alone, which then ends the others in their order.
      const child = spawn(command, args, {
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(cwd !== undefined && { cwd }),
        ...account
      })
      const said: string[] = []
      await new Promise<void>((resolve, reject) => {
        for (const output of [child.stdout, child.stderr]) {
          createInterface(output).on('line', (line) => {
            print(name, line)
            said.push(line)
            if (said.length > LAST_LINES) said.shift()
            if (isReady(line)) resolve()
          })
        }
        const ended = new Promise<void>((resolveEnd) => {
          const end = (how: string) => {
            reject(new Error([`${name} did not start (${how}):`, ...said].join('\n')))
            if (stopping === undefined) reportLoss(`${name} has ended (${how})`)
            resolveEnd()
          }
          child.once('error', ({ message }) => end(message))
          child.once('close', (code, signal) => end(signal ?? `exit code ${String(code)}`))
        })
        running.push({ child, endSignal, ended })
      })
    }
  }
}
