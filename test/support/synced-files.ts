/** Reconstructs files from a log of system calls: what was written, and what of it was synced. */
import { resolve } from 'node:path'

export interface SyncedFile {
  readonly path: string
  readonly written: Buffer
  readonly synced: Buffer
}

export interface SyncedFiles {
  /** Takes one line of `strace -f -y -xx`. Lines about other files have no effect. */
  take(line: string): void
  /** Returns the files that still exist. */
  all(): Iterable<SyncedFile>
}

interface Content {
  written: Buffer
  synced: Buffer
}

const TEXT = /"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?/g
/** When calls of other threads come in between, a call is reported in two lines. */
const UNFINISHED = /^(\d+) +(.*) <unfinished \.\.\.>$/
const RESUMED = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/
const CALL = /^\d+ +(\w+)\((.*)\) += (-?\d+)/
/** A file descriptor with its path. */
const FILE = /^\d+<((?:\\x[0-9a-f]{2})*)>/

/** `before`: the folder's files, by path. */
export function createSyncedFiles({
  folder,
  cwd,
  before
}: {
  readonly folder: string
  readonly cwd: string
  readonly before: ReadonlyMap<string, Buffer>
}): SyncedFiles {
  const files = new Map<string, Content>([...before].map(([path, bytes]) => [path, { written: bytes, synced: bytes }]))
  const begun = new Map<string, string>()

  const contentOf = (path: string): Content => {
    const known = files.get(path)
    if (known !== undefined) return known
    const made = { written: Buffer.alloc(0), synced: Buffer.alloc(0) }
    files.set(path, made)
    return made
  }
  const writeAt = (path: string, at: number, bytes: Buffer): void => {
    const file = contentOf(path)
    const end = at + bytes.length
    // The synced content must stay unchanged, so writes go to a copy.
    if (file.written === file.synced || end > file.written.length)
      file.written = Buffer.concat([file.written, Buffer.alloc(Math.max(0, end - file.written.length))])
    bytes.copy(file.written, at)
  }
  const resize = (path: string, length: number): void => {
    const file = contentOf(path)
    file.written = Buffer.concat([file.written.subarray(0, length), Buffer.alloc(Math.max(0, length - file.written.length))])
  }
  const own = (path: string): boolean => path.startsWith(`${folder}/`)

  function carryOut(name: string, given: string, result: number): void {
    const texts = [...given.matchAll(TEXT)].map(([, text = '', isCut]) => {
      if (isCut !== undefined) throw new Error(`A call of ${name} is not told in full`)
      return toBytes(text)
    })
    const path = toBytes(FILE.exec(given)?.[1] ?? '').toString()
    const numbers = given.split(', ').slice(1)
    const paths = texts.map((text) => resolve(cwd, text.toString()))
    switch (name) {
      case 'pwrite64':
        if (own(path)) writeAt(path, Number(numbers.at(-1)), (texts[0] as Buffer).subarray(0, result))
        return
      case 'pwritev':
        if (own(path)) writeAt(path, Number(numbers.at(-1)), Buffer.concat(texts).subarray(0, result))
        return
      case 'write':
      case 'writev':
        // At the end: servers that write elsewhere use calls with an offset.
        if (own(path)) writeAt(path, contentOf(path).written.length, Buffer.concat(texts).subarray(0, result))
        return
      case 'ftruncate':
        if (own(path)) resize(path, Number(numbers[0]))
        return
      case 'fallocate':
        if (own(path)) resize(path, Math.max(contentOf(path).written.length, Number(numbers[1]) + Number(numbers[2])))
        return
      case 'fsync':
      case 'fdatasync':
        if (own(path) && files.has(path)) contentOf(path).synced = contentOf(path).written
        return
      case 'openat':
      case 'creat':
        if (own(paths[0] ?? '') && (name === 'creat' || given.includes('O_TRUNC'))) resize(paths[0] as string, 0)
        else if (own(paths[0] ?? '') && given.includes('O_CREAT')) contentOf(paths[0] as string)
        return
      case 'unlink':
      case 'unlinkat':
        files.delete(paths[0] ?? '')
        return
      default:
        move(paths[0] ?? '', paths[1] ?? '')
    }
  }
  function move(from: string, to: string): void {
    const moved = files.get(from)
    if (moved === undefined) return
    files.delete(from)
    files.set(to, moved)
  }

  return {
    take(line) {
      const unfinished = UNFINISHED.exec(line)
      if (unfinished !== null) {
        begun.set(unfinished[1] as string, unfinished[2] as string)
        return
      }
      const resumed = RESUMED.exec(line)
      const whole = resumed === null ? line : `${resumed[1] as string} ${begun.get(resumed[1] as string) ?? ''}${resumed[2] as string}`
      const [, name, given = '', result] = CALL.exec(whole) ?? []
      if (name !== undefined && Number(result) >= 0) carryOut(name, given, Number(result))
    },
    all: () => [...files].map(([path, content]) => ({ path, ...content }))
  }
}

function toBytes(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex')
}
