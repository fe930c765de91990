/** Parses and validates the answers of an embedding service, which are not trusted. */
import { isObject } from '../domain/json-object.js'

/** Largest dimension of a vector: four times the widest known. Keeps a wrong answer from filling the heap. */
const WIDTH_MAX = 65_536

type ParsedEmbeddings = { readonly vectors: Float32Array[] } | { readonly fault: string }

/** Bytes of a number: 24 digits, a line end and the blanks before it, and twice that again. */
const NUMBER_BYTES = 48

/** Bytes, and brackets, quotes and colons, beside the numbers: of the whole answer, and of each vector. Known services have less. */
const FREE = { bytes: 64 * 1024, marks: 1_024 }
const OF_VECTOR = { bytes: 4 * 1024, marks: 64 }

/** Bytes that are kept room for at first; doubled as often as needed. */
const ROOM_BYTES = 64 * 1024

/** 1 for a bracket, quote or colon, 2 for a comma. */
const MARKS = Uint8Array.from({ length: 256 }, (_, byte) => (byte === 0x2c ? 2 : Number('[{":'.includes(String.fromCharCode(byte)))))

export interface Expected {
  /** Number of vectors. */
  readonly count: number
  /** Numbers of a vector; null while unknown. */
  readonly width: number | null
  readonly bytesMax: number
}

/**
 * Reads and validates the response. What it may hold follows from what was asked for, and is looked at before anything is parsed: an answer
 * of many small values takes twenty times its bytes. Throws when the response is cut off or not JSON.
 */
export async function readEmbeddings(response: Response, expected: Expected): Promise<ParsedEmbeddings> {
  const json = await readBounded(response, expected)
  if (json === null) return { fault: 'The embedding service answered with more than vectors take' }
  return parseEmbeddings(JSON.parse(json.toString('utf8')), expected.count)
}

/** Returns null for more than is expected. The connection is then closed. */
async function readBounded(response: Response, { count, width, bytesMax }: Expected): Promise<Buffer | null> {
  const numbers = count * (width ?? WIDTH_MAX)
  const limits = {
    bytes: Math.min(bytesMax, FREE.bytes + count * OF_VECTOR.bytes + numbers * NUMBER_BYTES),
    marks: FREE.marks + count * OF_VECTOR.marks
  }
  let room = Buffer.alloc(0)
  const found = { bytes: 0, marks: 0, commas: 0 }
  const body: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of body ?? []) {
    const end = found.bytes + chunk.length
    for (const byte of chunk) {
      if (MARKS[byte] === 1) found.marks += 1
      else if (MARKS[byte] === 2) found.commas += 1
    }
    const isTooMuch = end > limits.bytes || found.marks > limits.marks || found.commas > limits.marks + numbers
    // Leaving the loop cancels the body, and with it the connection.
    if (isTooMuch) return null
    if (end > room.length) room = Buffer.concat([room.subarray(0, found.bytes)], Math.max(ROOM_BYTES, 2 * room.length, end))
    room.set(chunk, found.bytes)
    found.bytes = end
  }
  return room.subarray(0, found.bytes)
}

/**
 * Vectors in the order of the request, placed by each item's `index`. Otherwise a fault says what is wrong: a wrong count, an index that is
 * out of range or repeated, a number that is not finite, vectors of different widths.
 */
function parseEmbeddings(body: unknown, count: number): ParsedEmbeddings {
  const data: unknown = isObject(body) ? body['data'] : undefined
  if (!Array.isArray(data)) return { fault: 'The embedding service answered without data' }
  if (data.length !== count) return { fault: 'The embedding service answered with another number of vectors' }
  const vectors: Float32Array[] = []
  const seen = new Set<number>()
  for (const item of data) {
    const index: unknown = isObject(item) ? item['index'] : undefined
    const vector = isObject(item) ? toVector(item['embedding']) : null
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count || seen.has(index)) {
      return { fault: 'The embedding service answered with vectors out of place' }
    }
    if (vector === null) return { fault: 'The embedding service answered with something other than vectors' }
    seen.add(index)
    vectors[index] = vector
  }
  const width = vectors[0]?.length
  if (vectors.some((vector) => vector.length !== width)) return { fault: 'The embedding service answered with vectors of different widths' }
  return { vectors }
}

function toVector(value: unknown): Float32Array | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > WIDTH_MAX) return null
  const vector = new Float32Array(value.length)
  for (let i = 0; i < vector.length; i++) {
    const component: unknown = value[i]
    // Math.fround: a number beyond the range of Float32 is as invalid as an infinite one.
    if (typeof component !== 'number' || !Number.isFinite(Math.fround(component))) return null
    vector[i] = component
  }
  return vector
}
