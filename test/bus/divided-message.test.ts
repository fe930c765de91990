/** Messages with long lists: decoding returns what was encoded, and only messages of nodes are accepted. */
import fc from 'fast-check'
import t from 'tap'
import { divide, packDivided, unpackDivided } from '../../src/bus/divided-message.js'
import { encodeMessage } from '../../src/bus/message-codec.js'
import { inOneGo, type Pieces } from '../../src/domain/pieces.js'

const memory = (at: number) => ({ id: `m${String(at)}`, text: 'a text', vectors: Float32Array.of(at, 1), stats: { importance: at / 3 } })
const list = (length: number) => Array.from({ length }, (_, at) => memory(at))

function packed(body: unknown): Uint8Array {
  const divided = divide(body)
  if (divided === null) throw new Error('It has no long list')
  return inOneGo(packDivided(divided))
}

function count(work: Pieces<unknown>): number {
  for (let pieces = 1; ; pieces++) if (work.next().done === true) return pieces
}

t.test('a message without a long list of objects is not divided', async (t) => {
  for (const body of [null, 'a text', list(64), { reply: { values: Array.from({ length: 10_000 }, (_, at) => at) } }]) {
    t.equal(divide(body), null)
  }
})

t.test('a message with long lists is the same afterwards', async (t) => {
  const map = new Map([[1, list(100)]])
  for (const body of [
    list(65),
    { reply: { document: { memories: list(1_000), anchors: list(3), head: { format: 1 } }, map } },
    { reply: [{ sessions: list(200) }, { sessions: list(70) }, { sessions: [] }] }
  ]) {
    t.same(inOneGo(unpackDivided(packed(body))), body)
  }
  const some = { depth: { depth: { depth: { depth: { depth: { depth: { depth: list(500) } } } } } } }
  t.equal(divide(some), null, 'too deep')
  t.same(inOneGo(unpackDivided(packed(some.depth))), some.depth, 'just not too deep')
})

t.test('what is no plain object is left as it is, and so is a long list that does not begin with an object', async (t) => {
  const odd = [new Map([['a', list(100)]]), Float32Array.of(1), new Date(0), [null, ...list(100)], ['a', ...list(100)]]
  for (const value of odd) {
    t.equal(divide({ value }), null)
    t.equal((divide({ value, long: list(65) })?.skeleton as { value: unknown }).value, value)
  }
  t.same(
    divide([[1, list(65)], 2])?.lists.map(({ path }) => path),
    [[0, 1]]
  )
})

t.test('a long list is packed and read in as many pieces as it has some items', async (t) => {
  const divided = divide({ memories: list(3_200) })
  if (divided === null) throw new Error('not divided')
  t.ok(count(packDivided(divided)) > 200)
  t.ok(count(unpackDivided(inOneGo(packDivided(divided)))) > 200)
})

t.test('a message that is cut off, or longer than it says is refused', async (t) => {
  const data = packed({ memories: list(100) })
  for (let length = 0; length < data.length; length += 7) t.throws(() => inOneGo(unpackDivided(data.slice(0, length))), String(length))
  for (const length of [0, 1, 2, 3]) t.throws(() => inOneGo(unpackDivided(data.slice(0, length))), TypeError)
  t.throws(() => inOneGo(unpackDivided(Buffer.concat([data, data]))))
})

/** A message as a malicious node may send it. */
function framed(...frames: readonly unknown[]): Uint8Array {
  return Buffer.concat(
    frames.flatMap((frame) => {
      const bytes = encodeMessage(frame)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      return [length, bytes]
    })
  )
}

t.test('a list is put nowhere but where an empty one of the message itself is', async (t) => {
  const good = framed({ skeleton: { a: [] }, lists: [{ path: ['a'], length: 2 }] }, [1, 2])
  t.same(inOneGo(unpackDivided(good)), { a: [1, 2] })
  const bad: Readonly<Record<string, readonly unknown[]>> = {
    'a prototype': [{ skeleton: {}, lists: [{ path: ['__proto__'], length: 1 }] }, [1]],
    'a method': [{ skeleton: { a: [] }, lists: [{ path: ['a', 'concat'], length: 1 }] }, [1]],
    'no list': [{ skeleton: { a: 'b' }, lists: [{ path: ['a'], length: 1 }] }, [1]],
    'a list with something in it': [{ skeleton: { a: [0] }, lists: [{ path: ['a'], length: 2 }] }, [1]],
    'a path of another kind': [{ skeleton: { a: [] }, lists: [{ path: 'a', length: 1 }] }, [1]],
    'a path too deep': [{ skeleton: [[[[[[[[]]]]]]]], lists: [{ path: [0, 0, 0, 0, 0, 0, 0], length: 1 }] }, [1]],
    'a length that is none': [{ skeleton: { a: [] }, lists: [{ path: ['a'], length: 0.5 }] }, [1]],
    'no length': [{ skeleton: { a: [] }, lists: [{ path: ['a'] }] }, [1]],
    'too many items': [{ skeleton: { a: [] }, lists: [{ path: ['a'], length: 1 }] }, [1, 2]],
    'too few items': [{ skeleton: { a: [] }, lists: [{ path: ['a'], length: 2 }] }, [1]],
    'no items': [{ skeleton: { a: [] }, lists: [{ path: ['a'], length: 1 }] }, []],
    'something else than items': [{ skeleton: { a: [] }, lists: [{ path: ['a'], length: 1 }] }, 'b'],
    'no lists': [{ skeleton: { a: [] } }],
    nothing: [null]
  }
  for (const [name, frames] of Object.entries(bad)) t.throws(() => inOneGo(unpackDivided(framed(...frames))), TypeError, name)
})

t.test('random bytes are refused', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        inOneGo(unpackDivided(bytes))
        return false
      } catch {
        return true
      }
    })
  )
})
