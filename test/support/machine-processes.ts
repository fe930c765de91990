/** Processes of Linux as proc(5) tells of them: a bare machine has no program that does. */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessStat {
  readonly pid: number
  readonly name: string
  readonly parent: number
  /** Of /proc/pid/stat behind the name, which is its second field: the state first. */
  readonly fields: readonly string[]
}

export interface ChildProcessEntry {
  readonly pid: number
  /** Its arguments, with spaces between. */
  readonly command: string
}

/** All of this machine. */
export function processStats(): ProcessStat[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => statOf(Number(pid)) ?? [])
}

/** Those that a process has begun, and that have not ended. */
export function childrenOf(parent: number): ChildProcessEntry[] {
  return processStats()
    .filter((stat) => stat.parent === parent)
    .map(({ pid }) => ({ pid, command: (read(pid, 'cmdline') ?? '').replaceAll('\0', ' ').trim() }))
}

function statOf(pid: number): ProcessStat | null {
  const text = read(pid, 'stat')
  if (text === null) return null
  // The name stands in brackets, and may hold anything.
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  return { pid, name: text.slice(text.indexOf('(') + 1, end), parent: Number(fields[1]), fields }
}

/** Null of one that has ended meanwhile. */
function read(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`, 'latin1')
  } catch {
    return null
  }
}
