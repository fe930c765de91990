/** Runs the service in a process of its own, which a test can kill. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'

export interface ServiceProcess {
  readonly url: string
  readonly pid: number
  /** Log lines of level `error` and above, and all output outside the log. */
  readonly complaints: readonly string[]
  /** False once it has ended in any way. */
  isRunning(): boolean
  /** Resolves with the exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>
  /** Sends a signal; a no-op once it has ended. */
  signal(name: NodeJS.Signals): void
  /** kill -9. Resolves when it is gone. May be called twice. */
  kill(): Promise<void>
}

/** Path of a program for Node.js, and its arguments. */
export type Program = readonly [path: string, ...args: string[]]

/**
 * Starts the service on a free port. Resolves when it listens; throws with its output if it ends before. `launcher`: a command that runs
 * the command after it elsewhere.
 */
export async function startServiceProcess(
  program: Program,
  env: Readonly<Record<string, string>>,
  launcher: readonly string[] = []
): Promise<ServiceProcess> {
  const [command = process.execPath, ...args] = [...launcher, process.execPath, ...program]
  const child = spawn(command, args, {
    env: {
      PATH: process.env['PATH'] ?? '',
      SERVICE_ALLOW_ANONYMOUS: '1',
      SERVICE_EMBEDDER: 'lexical',
      SERVICE_PORT: '0',
      SERVICE_RATE_LIMIT_PER_MINUTE: '0',
      // Only an equal text counts as an update, and no two of the texts written here are equal.
      SERVICE_UPDATE_THRESHOLD: '1',
      ...env
    }
  })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const kill = async () => {
    if (!isRunning()) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  // Kills the process if the test ends early.
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  void ended.then(() => process.off('exit', onExit))

  const complaints: string[] = []
  const url = await listening(child, complaints)
  return { url, pid: child.pid ?? 0, complaints, isRunning, ended, signal: (name) => void child.kill(name), kill }
}

async function listening(child: ChildProcess, complaints: string[]): Promise<string> {
  if (child.stdout === null || child.stderr === null) throw new Error('The process has no output')
  createInterface(child.stderr).on('line', (line) => complaints.push(line))
  const lines = createInterface(child.stdout)
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      if (/"level":[56]0/.test(line)) complaints.push(line)
      else if (line.includes('"msg":"listening"')) resolve((JSON.parse(line) as { url: string }).url)
    })
    child.once('exit', () => reject(new Error(`The service ended before it listened:\n${complaints.join('\n')}`)))
    child.once('error', reject)
  })
}
