import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { DomainError } from '../../src/domain/errors.js'
import { decoded } from '../../src/upstream/decoded-answer.js'

const TEXT = 'Whitby, in North Yorkshire'
const BROKEN = new DomainError('upstream_unavailable', 'The model service broke off')
const OPTIONS = { broken: BROKEN, holds: () => undefined }

/** Decodes an answer. Returns its headers, and its body as text. */
async function read(coding: string, bytes: Uint8Array) {
  const { headers, body } = decoded({ headers: { 'x-one': '1', 'content-encoding': coding }, body: Readable.from([bytes]) }, OPTIONS)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return [headers, Buffer.concat(chunks).toString()]
}

t.test('codings are undone from the last one that was applied to the first', async (t) => {
  const twice = gzipSync(gzipSync(TEXT))
  for (const [coding, bytes] of [
    ['gzip, gzip', twice],
    ['GZIP ,x-gzip', twice],
    ['deflate, br', brotliCompressSync(deflateSync(TEXT))],
    [', gzip,, ', gzipSync(TEXT)],
    ['identity, gzip, Identity', gzipSync(TEXT)],
    ['identity', Buffer.from(TEXT)],
    ['gzip, gzip, gzip, gzip', gzipSync(gzipSync(twice))]
  ] as const)
    t.strictSame(await read(coding, bytes), [{ 'x-one': '1' }, TEXT], coding)
})

t.test('a coding that is not known stays, with those before it', async (t) => {
  t.strictSame(await read('gzip, zstd, deflate', deflateSync(TEXT)), [{ 'x-one': '1', 'content-encoding': 'gzip, zstd' }, TEXT])
  t.strictSame(await read('gzip, zstd', Buffer.from(TEXT)), [{ 'x-one': '1', 'content-encoding': 'gzip, zstd' }, TEXT])
})

t.test('more codings than anybody needs are refused, and what is not in its codings is broken', async (t) => {
  const body = Readable.from([TEXT])
  t.throws(() => decoded({ headers: { 'content-encoding': 'gzip,'.repeat(5) }, body }, OPTIONS), {
    code: 'upstream_unavailable',
    message: 'The model service answered with more than 4 content codings'
  })
  await t.rejects(read('gzip, gzip', gzipSync(TEXT)), BROKEN)
})

t.test('each decoder takes memory, and there is no answer without it', async (t) => {
  const taken: number[] = []
  const headers = { 'content-encoding': 'br, gzip' }
  decoded({ headers, body: Readable.from([]) }, { broken: BROKEN, holds: ({ buffers }) => taken.push(buffers) })
  t.strictSame(taken, [64 * 1024, 17 * 1024 * 1024])
  const full = new DomainError('memory_exhausted', 'Full')
  const holds = () => {
    throw full
  }
  t.throws(() => decoded({ headers, body: Readable.from([]) }, { broken: BROKEN, holds }), full)
})
