/**
 * `npm run example:coding`: a coding assistant that never gets a signature wrong. Prose is remembered by meaning; code goes
 * into the literal cache and comes back byte for byte, in the context block of the turn that needs it.
 */
import { type Json, print, withService } from './shared/client.js'

const SESSION = 'repository'

const ENTITIES = [
  {
    kind: 'signature',
    key: 'src/billing/invoice.ts#createInvoice',
    value:
      'export async function createInvoice(\n  customerId: CustomerId,\n  lines: readonly InvoiceLine[],\n  options?: { dueInDays?: number },\n): Promise<Invoice>'
  },
  {
    kind: 'type',
    key: 'InvoiceLine',
    value: 'type InvoiceLine = { sku: string; quantity: number; unitPrice: Money; taxRate?: 0 | 0.07 | 0.19 }'
  },
  { kind: 'constant', key: 'MAX_RETRY_ATTEMPTS', value: 'export const MAX_RETRY_ATTEMPTS = 7 // the gateway gives up after 8\t ' },
  {
    kind: 'error',
    key: 'ERR_PAYMENT_DECLINED',
    value: 'PaymentError [ERR_PAYMENT_DECLINED]: card was declined (code=51)\r\n    at charge (gateway.ts:88:11)'
  },
  { kind: 'path', key: 'config/payment%20gateway.yaml', value: 'config/payment%20gateway.yaml' }
] as const

const CONVERSATION = [
  { message: 'We bill customers through the invoice module.', response: 'Noted: billing goes through src/billing/invoice.ts.' },
  { message: 'The payment gateway sometimes declines cards.', response: 'Then retry with a back-off, and give up on a hard decline.' },
  { message: 'What is the signature of createInvoice?', response: 'It takes the customer id, the lines and options.' },
  { message: 'How many retry attempts are the max?', response: 'Seven.' },
  { message: 'What does ERR_PAYMENT_DECLINED look like in the log?', response: 'It names the code and where it was thrown.' }
]

await withService(async (client) => {
  await client.call('POST', '/v1/session/create', { session_id: SESSION })
  for (const entity of ENTITIES) await client.call('POST', `/v1/session/${SESSION}/entities`, entity)

  let response: string | undefined
  for (const turn of CONVERSATION) {
    const run = await client.call('POST', '/v1/run', {
      session_id: SESSION,
      message: turn.message,
      ...(response !== undefined && { response })
    })
    response = turn.response
    print(`\n> ${turn.message}\n${String(run['context'])}`)
    for (const entity of ENTITIES) {
      if (turn.message.includes(entity.key.split('#').at(-1) ?? entity.key) && !String(run['context']).includes(entity.value)) {
        throw new Error(`${entity.key} did not come back byte for byte`)
      }
    }
  }

  const found = await client.call('GET', `/v1/session/${SESSION}/entities?q=${encodeURIComponent('invoice line')}`)
  print(
    `\nSearch for "invoice line": ${(found['entities'] as Json[]).map((entity) => String(entity['key'])).join(', ')} (${String(found['total'])} in all)`
  )
  await client.call('DELETE', `/v1/session/${SESSION}/entities/${encodeURIComponent('config/payment%20gateway.yaml')}`)
  print('Removed config/payment%20gateway.yaml by its exact key.')
})
