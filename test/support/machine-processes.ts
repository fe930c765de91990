/** Linux processes read from proc(5), because a minimal machine has no program for it. */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessStat {
  readonly pid: number
  readonly name: string
  readonly parent: number
  /** Fields of /proc/pid/stat after the second one, the name: the state first. */
  readonly fields: readonly string[]
}

export interface ChildProcessEntry {
  readonly pid: number
  /** Arguments, separated by spaces. */
  readonly command: string
}

/** All processes of this machine. */
export function processStats(): ProcessStat[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => statOf(Number(pid)) ?? [])
}

/** Running child processes of a process. */
export function childrenOf(parent: number): ChildProcessEntry[] {
  return processStats()
    .filter((stat) => stat.parent === parent)
    .map(({ pid }) => ({ pid, command: (read(pid, 'cmdline') ?? '').replaceAll('\0', ' ').trim() }))
}

function statOf(pid: number): ProcessStat | null {
  const text = read(pid, 'stat')
  if (text === null) return null
  // The name stands in parentheses, and may contain any characters.
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  return { pid, name: text.slice(text.indexOf('(') + 1, end), parent: Number(fields[1]), fields }
}

/** Null for a process that has ended meanwhile. */
function read(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`, 'latin1')
  } catch {
    return null
  }
}
