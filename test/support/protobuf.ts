/** The parts of the protocol buffer wire format that an ONNX file needs. Source: protobuf.dev, "Encoding". */

const VARINT = 0
const LENGTH_DELIMITED = 2
const FIXED_32 = 5

/** Encodes a non-negative integer below 2^53. */
export function varintField(field: number, value: number): Buffer {
  return Buffer.concat([tag(field, VARINT), varint(value)])
}

/** Encodes an integer that may be negative: two's complement in 64 bits. */
export function signedField(field: number, value: number): Buffer {
  return Buffer.concat([tag(field, VARINT), varint(value < 0 ? (1n << 64n) + BigInt(value) : value)])
}

export function bytesField(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([tag(field, LENGTH_DELIMITED), varint(bytes.length), bytes])
}

export function stringField(field: number, text: string): Buffer {
  return bytesField(field, Buffer.from(text, 'utf8'))
}

export function floatField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([tag(field, FIXED_32), bytes])
}

function tag(field: number, wireType: number): Buffer {
  return varint((field << 3) | wireType)
}

function varint(value: number | bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt(value)
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Buffer.from(bytes)
}
