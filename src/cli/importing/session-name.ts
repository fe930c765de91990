/** Names of conversations as ids of sessions. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { SESSION_ID_PATTERN } from '../../domain/limits.js'

const PLAIN_LENGTH = 96
const DIGEST_LENGTH = 12

/** The name itself where it can be an id, else what is left of it and a digest, so that no two names share an id. */
export function toSessionId(name: string): string {
  if (SESSION_ID_PATTERN.test(name)) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_LENGTH)
  const plain = name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, PLAIN_LENGTH)
  return `${plain}-${digest}`
}

/** What a file's memories go by where it names no conversation: its own name without folder and ending. */
export function sessionOfFile(path: string): string {
  return toSessionId(basename(path).replace(/\.[^.]+$/, '') || 'import')
}
