import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * Resolves once so many lines of a process's output have the words. Rejects with what it said if it ends before. Reads on afterwards, so
 * that the process never blocks on its output.
 */
export async function untilSaid(child: ChildProcess, output: 'stdout' | 'stderr', words: string, count = 1): Promise<void> {
  const stream = child[output]
  if (stream === null) throw new Error('The process has no output')
  const lines = createInterface(stream)
  const said: string[] = []
  let left = count
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line)
      if (line.includes(words) && --left === 0) resolve()
    })
    child.once('exit', () => reject(new Error(`${child.spawnfile} ended before it was ready:\n${said.join('\n')}`)))
    child.once('error', reject)
  })
  lines.removeAllListeners('line')
  lines.on('line', () => undefined)
}
