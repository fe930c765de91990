/** Processes of Linux as proc(5) tells of them: a bare machine has no program that does. */
import { readdirSync, readFileSync } from 'node:fs'

export interface ChildProcessEntry {
  readonly pid: number
  /** Its arguments, with spaces between. */
  readonly command: string
}

/** Those that a process has begun, and that have not ended. */
export function childrenOf(parent: number): ChildProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map((name) => ({ pid: Number(name), command: read(name, 'cmdline').replaceAll('\0', ' ').trim() }))
}

/** The second field behind the name in brackets, which may hold any character. */
function parentOf(pid: string): number {
  const stat = read(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Empty of one that has ended meanwhile. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
