/**
 * MurmurHash3_x86_32 (Austin Appleby, public domain) over the text's UTF-16 code units, low byte first, so that lone surrogates are defined
 * too. Returns a signed 32-bit number.
 */
export function murmurHash(text: string, seed: number): number {
  let state = seed
  const paired = text.length & ~1
  for (let at = 0; at < paired; at += 2) {
    state ^= scramble(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16))
    state = (state << 13) | (state >>> 19)
    state = (Math.imul(state, 5) + 0xe6546b64) | 0
  }
  // Stryker disable next-line EqualityOperator: behind the end there is NaN, which scrambles to 0 and changes nothing
  if (paired < text.length) state ^= scramble(text.charCodeAt(paired))
  return mix(state ^ (text.length * 2))
}

/** The finaliser of MurmurHash3: changes about half of the bits for any change of one. Returns a signed 32-bit number. */
export function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

function scramble(block: number): number {
  const spread = Math.imul(block, 0xcc9e2d51)
  return Math.imul((spread << 15) | (spread >>> 17), 0x1b873593)
}
