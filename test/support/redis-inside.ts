/** Inspects a Redis server directly: its audit trails, scripts and files. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditVerdict } from '../../src/ports.js'
import type { RedisStorage } from '../../src/storage/redis/storage.js'
import { askRedis, type RedisServer } from './redis-server.js'

/** Verdicts on all trails, the longest first. */
export async function verdicts(storage: RedisStorage): Promise<AuditVerdict[]> {
  const found: AuditVerdict[] = []
  for await (const { verdict } of storage.verifyAudits()) found.push(verdict)
  const length = (verdict: AuditVerdict) => (verdict.isIntact ? verdict.entries : 0)
  return found.sort((a, b) => length(b) - length(a))
}

/** Lists of all trails, the longest first. */
export async function auditKeys(server: RedisServer): Promise<[string, string]> {
  const answer = await script(
    server,
    "local keys = redis.call('KEYS', '*:audit:entries') table.sort(keys, function(a, b) return redis.call('LLEN', a) > redis.call('LLEN', b) end) return table.concat(keys, ' ')"
  )
  const [first, second] = (answer.split('\r\n')[1] ?? '').split(' ')
  if (first === undefined || second === undefined) throw new Error(answer)
  return [first, second]
}

export async function script(server: RedisServer, source: string, keys: readonly string[] = []): Promise<string> {
  const answer = await askRedis(server, `EVAL "${source}" ${keys.length} ${keys.join(' ')}`)
  if (answer.startsWith('-')) throw new Error(answer)
  return answer
}

/** Path of the current append-only file. */
export async function logFile({ directory }: RedisServer): Promise<string> {
  const names = (await readdir(join(directory, 'appendonlydir'))).filter((name) => name.endsWith('.incr.aof')).sort()
  return join(directory, 'appendonlydir', names.at(-1) ?? '')
}

/** Reads again if the server renamed a file meanwhile. */
export async function isInFiles(directory: string, text: string): Promise<boolean> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const reading = entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name)))
  const files = await Promise.all(reading).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  })
  return files === null ? isInFiles(directory, text) : files.some((file) => file.includes(text))
}
