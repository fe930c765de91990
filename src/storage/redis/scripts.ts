/**
 * Lua scripts for atomic changes: Redis runs a script to its end before anything else, and logs it as a whole. A script that fails half-way
 * is not rolled back, so every script checks first, then makes one write that Redis refuses when its memory is full (HSET), and only then
 * the others, which it no longer refuses.
 */
import { createHash } from 'node:crypto'
import { SHA256 } from './sha256-script.js'

export interface Script {
  readonly source: string
  /** SHA-1 in hex, by which Redis caches the script. */
  readonly sha1: string
}

/** Lua's stack (8,000) bounds the number of arguments of one call. */
const CHUNK = 1_000

/** Applies rows from ARGV[first]: `removals` fields, then `puts` pairs of field and value. Returns where the audit entries begin. */
const APPLY = `
local function apply(rows, first, removals, puts)
  for i = first, first + removals - 1, ${CHUNK} do
    redis.call('HDEL', rows, unpack(ARGV, i, math.min(i + ${CHUNK - 1}, first + removals - 1)))
  end
  local start = first + removals
  local last = start + 2 * puts - 1
  for i = start, last, ${CHUNK} do
    redis.call('HSET', rows, unpack(ARGV, i, math.min(i + ${CHUNK - 1}, last)))
  end
  return last + 1
end
`

/** Appends the audit entries from ARGV[first] to the end, each a 32-byte hash and a text, and links each to the one before. */
const APPEND_AUDIT = `${SHA256}
local function append_audit(entries, ending, first)
  if first > #ARGV then return end
  local known = redis.call('HMGET', ending, 'n', 'h')
  local n, link = tonumber(known[1] or '0'), known[2] or string.rep('\\0', 32)
  for i = first, #ARGV, 2 do
    link = sha256_of_64(link .. ARGV[i])
    redis.call('RPUSH', entries, link .. ARGV[i + 1])
    n = n + 1
  end
  redis.call('HSET', ending, 'n', n, 'h', link)
end
`

/** Sets or clears whether the record wants to be woken. */
const NOTE_WISH = `
local function note_wish(reminders, address, wakes)
  if wakes == '1' then redis.call('ZADD', reminders, 0, address) else redis.call('ZREM', reminders, address) end
end
`

/**
 * KEYS: record, rows, ids, audit entries, audit end, reminders, last epoch. ARGV: id, address, head, '1' to be woken, the expected epoch of
 * the tombstone ('' for any, 0 for none), the epoch if there is no tombstone, number of puts, then rows and audit. Returns the epoch, or
 * nothing.
 */
export const CREATE = toScript(`${APPLY}${NOTE_WISH}${APPEND_AUDIT}
local known = redis.call('HMGET', KEYS[1], 'e', 'v')
if known[2] then return false end
local last = known[1] or redis.call('GET', KEYS[7])
if ARGV[5] ~= '' and (last or '0') ~= ARGV[5] then return false end
local epoch = last and tonumber(last) + 1 or tonumber(ARGV[6])
redis.call('HSET', KEYS[1], 'e', epoch, 'b', epoch, 'v', 1, 'h', ARGV[3])
redis.call('DEL', KEYS[7])
redis.call('ZADD', KEYS[3], 0, ARGV[1])
note_wish(KEYS[6], ARGV[2], ARGV[4])
append_audit(KEYS[4], KEYS[5], apply(KEYS[2], 8, 0, tonumber(ARGV[7])))
return epoch
`)

/**
 * KEYS: record. Returns the new epoch, the epoch at creation, the version and the head, or nothing. Also allowed when the memory is full: a
 * number grows by one digit at most, and a record that is not activated can be neither read nor removed.
 */
export const ACTIVATE = toScript(`#!lua flags=allow-oom
local known = redis.call('HMGET', KEYS[1], 'b', 'v', 'h')
if not known[2] then return false end
return { redis.call('HINCRBY', KEYS[1], 'e', 1), known[1], known[2], known[3] }
`)

/**
 * KEYS: as for CREATE. ARGV: epoch, version, address, head, '1' to be woken, '1' to clear, number of removals, number of puts, then rows
 * and audit. Returns 1, or 0 when fenced.
 */
export const COMMIT = toScript(`${APPLY}${NOTE_WISH}${APPEND_AUDIT}
local known = redis.call('HMGET', KEYS[1], 'e', 'v')
if known[1] ~= ARGV[1] or known[2] ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'v', tonumber(ARGV[2]) + 1, 'h', ARGV[4])
note_wish(KEYS[6], ARGV[3], ARGV[5])
if ARGV[6] == '1' then redis.call('UNLINK', KEYS[2]) end
append_audit(KEYS[4], KEYS[5], apply(KEYS[2], 9, tonumber(ARGV[7]), tonumber(ARGV[8])))
return 1
`)

/**
 * KEYS: record, rows, ids, reminders, tombstone, last epoch. ARGV: id, address, epoch, version, the rows that stay ('' for none), seconds
 * for which these and the epoch are kept. Returns 1, or 0 when fenced. Also allowed when the memory is full, because it frees more than the
 * few rows take.
 */
export const REMOVE = toScript(`#!lua flags=allow-oom
local known = redis.call('HMGET', KEYS[1], 'e', 'v')
if known[1] ~= ARGV[3] or known[2] ~= ARGV[4] then return 0 end
if ARGV[5] == '' then redis.call('DEL', KEYS[5]) else redis.call('SET', KEYS[5], ARGV[5], 'EX', ARGV[6]) end
redis.call('SET', KEYS[6], ARGV[3], 'EX', ARGV[6])
redis.call('UNLINK', KEYS[1], KEYS[2])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[2])
return 1
`)

function toScript(source: string): Script {
  return { source, sha1: createHash('sha1').update(source).digest('hex') }
}
