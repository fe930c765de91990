import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { type ReceivedBody, receiveBody } from '../../../src/http/wire/received-body.js'

const MIB = 1024 * 1024

interface Sent {
  readonly parts: readonly Buffer[]
  readonly limit?: number
  readonly stated?: number
  readonly failure?: Error
}

async function received({ parts, limit = Infinity, stated, failure }: Sent) {
  const payload = new PassThrough()
  const request = {
    routeOptions: { bodyLimit: limit },
    headers: stated === undefined ? {} : { 'content-length': String(stated) }
  } as unknown as FastifyRequest
  const result = new Promise<{ error: (Error & { code?: string; statusCode?: number }) | null; body: ReceivedBody }>((resolve) =>
    receiveBody(request, payload, (error, body) => resolve({ error, body }))
  )
  for (const part of parts) payload.write(part)
  if (failure === undefined) payload.end()
  else payload.destroy(failure)
  return result
}

t.test('a long body is joined a mebibyte at a time', async (t) => {
  const parts = Array.from({ length: 80 }, (_, at) => Buffer.alloc(64 * 1024, at))
  const { error, body } = await received({ parts, stated: 5 * MIB })
  t.equal(error, null)
  t.equal(body.bytes, 5 * MIB)
  const work = body.joined()
  for (let pieces = 0; ; pieces++) {
    const next = work.next()
    if (next.done !== true) continue
    t.equal(pieces, 5)
    t.ok(next.value.equals(Buffer.concat(parts)))
    return
  }
})

t.test('a body over the limit, of another length than stated, or that breaks off is an error of the client', async (t) => {
  const parts = [Buffer.from('four'), Buffer.from('more')]
  t.match(await received({ parts, limit: 7 }), { error: { code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 } })
  t.match(await received({ parts, limit: 7, stated: 8 }), { error: { code: 'FST_ERR_CTP_BODY_TOO_LARGE' } })
  t.match(await received({ parts, stated: 9 }), { error: { code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH', statusCode: 400 } })
  t.match(await received({ parts, failure: new Error('gone') }), { error: { message: 'gone', statusCode: 400 } })
  t.match(await received({ parts, limit: 8, stated: 8 }), { error: null })
})
