import t from 'tap'
import { decodeMessage, encodeMessage } from '../../../src/bus/message-codec.js'
import type { Address } from '../../../src/domain/address.js'
import { ownText } from '../../../src/domain/text/own-text.js'
import { addDocumentAtOnce, createPostings } from '../../../src/domain/words/postings.js'
import { createAsks } from '../../../src/http/contract/resource-ask.js'
import { decodeBody, encodeBody } from '../../../src/storage/record-codec.js'
import { collect } from '../../support/garbage.js'

const LONG_ID = 'an-id-of-more-than-thirteen-characters'
const TEXT_LENGTH = 100
const TEXTS = 60
const TIMES = 4_000

/** A body whose id is kept and whose texts are not. */
const bodyOf = (nth: number) => ({
  id: `${LONG_ID}-${nth}`,
  texts: Array.from({ length: TEXTS }, (_, at) => `${at} ${nth} `.padEnd(TEXT_LENGTH, 'text '))
})

/** What is kept of a long text, by how it comes in. */
const KEPT: Readonly<Record<string, (nth: number) => unknown>> = {
  'the id of a message': (nth) => (decodeMessage(encodeMessage(bodyOf(nth))) as { id: string }).id,
  'the id of a record': (nth) => (decodeBody(encodeBody(bodyOf(nth))) as { id: string }).id,
  'a word in the index': (nth) => {
    const postings = createPostings()
    const [term = ''] = `incomprehensibilities-${nth} ${bodyOf(nth).texts.join(' ')}`.split(' ')
    addDocumentAtOnce(postings, 0, { terms: [term], counts: [1], length: 1 })
    return postings
  },
  'the id of a session in an address that was called': (nth) => {
    const addresses: Address[] = []
    const { askSession: ask } = createAsks(async (address) => addresses.push(address) as never)
    const url = `${LONG_ID}-${nth}/entities?q=${bodyOf(nth).texts.join(' ')}`
    void ask({ subject: 'alice', id: 'request', trace: null }, url.slice(0, url.indexOf('/')), { type: 'session.metrics' })
    return addresses
  }
}

t.test('an own text has the same characters', async (t) => {
  for (const text of ['', 'short', 'thirteen char', 'a text of more than thirteen characters', 'Grüße an die Straße 日本語のテキストです'])
    t.equal(ownText(text), text)
})

for (const [name, keep] of Object.entries(KEPT)) {
  t.test(`${name} does not keep the text that it came with`, async (t) => {
    keep(TIMES)
    collect()
    const before = process.memoryUsage().heapUsed
    const kept = Array.from({ length: TIMES }, (_, nth) => keep(nth))
    collect()
    t.ok(process.memoryUsage().heapUsed - before < (TIMES / 2) * TEXTS * TEXT_LENGTH)
    t.equal(kept.length, TIMES)
  })
}

/** Letters of a text with its two words of header, and its place in a list. */
const OWN_BYTES = 32 + 16 + 8

t.test('an own text takes the room of its letters, and of no other copy', async (t) => {
  const copiesOf = (count: number): string[] => Array.from({ length: count }, (_, nth) => ownText(String(nth).padEnd(64, '-').slice(0, 32)))
  copiesOf(TIMES)
  collect()
  const before = process.memoryUsage().heapUsed
  const kept = copiesOf(10 * TIMES)
  collect()
  const each = (process.memoryUsage().heapUsed - before) / kept.length
  t.ok(each < 1.2 * OWN_BYTES, `${String(each)} bytes`)
})
