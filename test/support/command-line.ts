/** Runs `engram` in its own process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { builtProgram } from './built.js'
import { LATE_OPTIMISING } from './program.js'

export interface CommandResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Standard input; it ends after this. */
  readonly input?: string
  readonly cwd?: string
  /** Called with the process once it is started, and after each chunk of its output with all output so far. */
  readonly watch?: (child: ChildProcess, stderr: string, stdout: string) => void
}

/** Runs the command to its end. Its environment contains only the path and `env`. */
export async function engram(args: readonly string[], { env, input = '', cwd, watch }: CommandOptions = {}): Promise<CommandResult> {
  const child = spawn(process.execPath, [...LATE_OPTIMISING, await builtProgram('src/cli/engram'), ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    ...(cwd !== undefined && { cwd })
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    watch?.(child, stderr, stdout)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    watch?.(child, stderr, stdout)
  })
  // A command that ends early reads no input.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  watch?.(child, '', '')
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, stdout, stderr }
}
