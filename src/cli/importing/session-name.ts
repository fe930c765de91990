/** Derives session ids from names of conversations. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { SESSION_ID_PATTERN } from '../../domain/limits.js'

const PLAIN_LENGTH = 96
const DIGEST_LENGTH = 12

/** Returns the name itself if it is a valid id, else its valid characters with a digest, so that no two names share an id. */
export function toSessionId(name: string): string {
  if (SESSION_ID_PATTERN.test(name)) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_LENGTH)
  const plain = name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, PLAIN_LENGTH)
  return `${plain}-${digest}`
}

/** Session for memories of a file that names no conversation: the file's name without folder and extension. */
export function sessionOfFile(path: string): string {
  return toSessionId(basename(path).replace(/\.[^.]+$/, '') || 'import')
}
