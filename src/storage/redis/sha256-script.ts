/**
 * SHA-256 (FIPS 180-4) of 64 bytes in Lua, because Redis offers only SHA-1. The link of an audit entry depends on the entry before it,
 * whichever node wrote that. Computed inside the script, it needs no coordination between the writers of one subject.
 */

const PRIMES = firstPrimes(64)

/** Lua function `sha256_of_64(bytes)`, which returns 32 bytes. It hashes two blocks: the message, and the padding, which is constant. */
export const SHA256 = `
local band, bxor, bnot, ror, shr, tobit = bit.band, bit.bxor, bit.bnot, bit.ror, bit.rshift, bit.tobit

local function compress(K, state, w)
  for i = 17, 64 do
    local x, y = w[i - 15], w[i - 2]
    w[i] = tobit(w[i - 16] + bxor(ror(x, 7), ror(x, 18), shr(x, 3)) + w[i - 7] + bxor(ror(y, 17), ror(y, 19), shr(y, 10)))
  end
  local a, b, c, d, e, f, g, h = unpack(state)
  for i = 1, 64 do
    local t = h + bxor(ror(e, 6), ror(e, 11), ror(e, 25)) + bxor(band(e, f), band(bnot(e), g)) + K[i] + w[i]
    local u = bxor(ror(a, 2), ror(a, 13), ror(a, 22)) + bxor(band(a, b), band(a, c), band(b, c))
    h, g, f, e, d, c, b, a = g, f, e, tobit(d + t), c, b, a, tobit(t + u)
  end
  local new = { a, b, c, d, e, f, g, h }
  for i = 1, 8 do new[i] = tobit(new[i] + state[i]) end
  return new
end

local function sha256_of_64(bytes)
  local K, start = { ${PRIMES.map((prime) => toFraction(Math.cbrt(prime))).join()} }, { ${PRIMES.slice(0, 8)
    .map((prime) => toFraction(Math.sqrt(prime)))
    .join()} }
  local state = compress(K, start, { struct.unpack('>i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4', bytes) })
  return struct.pack('>i4i4i4i4i4i4i4i4', unpack(compress(K, state, { tobit(2 ^ 31), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 512 })))
end
`

/** First 32 bits of the fraction of `root`, as the signed number that Lua's `bit` uses. */
function toFraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32) | 0
}

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
}
