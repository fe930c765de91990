/** Starts several programs on this machine, and stops them together. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface Program {
  /** Prefix of each of its output lines. */
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** The program's whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether this line of its output says that the program is ready. */
  readonly isReady: (line: string) => boolean
  /** Signal for an orderly shutdown. */
  readonly endSignal: NodeJS.Signals
  /** Default: user and folder of this process. */
  readonly account?: { readonly uid: number; readonly gid: number }
  readonly cwd?: string
}

export interface LocalProcesses {
  /**
   * Resolves once the program is ready. Throws an Error with the last lines of its output when it ends before that, or when all are being
   * stopped.
   */
  start(program: Program): Promise<void>
  /** Stops the programs one by one in reverse order, so that none loses what it depends on. Idempotent. */
  stopAll(): Promise<void>
  /** Resolves to a sentence when a program ends without having been stopped. */
  readonly lost: Promise<string>
}

interface Running {
  readonly child: ChildProcess
  readonly endSignal: NodeJS.Signals
  readonly ended: Promise<void>
}

/** Milliseconds to stop: a node finishes work for 25 s, then puts its sessions away. */
const END_MS_MAX = 35_000
/** Output lines shown of a program that did not start. */
const LAST_LINES = 20

/** Starts empty. `print` receives each output line, with the name of its program. */
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
      // A process group of its own: Ctrl-C in a terminal reaches only this process, which then stops the others in order.
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
