/** Parses and validates the answers of an embedding service, which are not trusted. */

/** Largest dimension of a vector: four times the widest known. Keeps a wrong answer from filling the heap. */
const WIDTH_MAX = 65_536

export type ParsedEmbeddings = { readonly vectors: Float32Array[] } | { readonly fault: string }

/** Reads the response as JSON. Throws when it is larger than `bytesMax`, cut off, or not JSON. */
export async function readJson(response: Response, bytesMax: number): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const body: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    // Leaving the loop cancels the body, and with it the connection.
    if (bytes > bytesMax) throw new Error('The response is too large')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/**
 * Vectors in the order of the request, placed by each item's `index`. Otherwise a fault says what is wrong: a wrong count, an index that is
 * out of range or repeated, a number that is not finite, vectors of different widths.
 */
export function parseEmbeddings(body: unknown, count: number): ParsedEmbeddings {
  const data: unknown = isRecord(body) ? body['data'] : undefined
  if (!Array.isArray(data)) return { fault: 'The embedding service answered without data' }
  if (data.length !== count) return { fault: 'The embedding service answered with another number of vectors' }
  const vectors: Float32Array[] = []
  const seen = new Set<number>()
  for (const item of data) {
    const index: unknown = isRecord(item) ? item['index'] : undefined
    const vector = isRecord(item) ? toVector(item['embedding']) : null
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
