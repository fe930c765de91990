import t from 'tap'
import { createTickets, TICKET_LIFETIME_S, TICKETS_MAX } from '../../src/debug/tickets.js'
import { createSystemSecrets } from '../../src/platform/random-sources.js'
import { createManualClock } from '../support/manual-clock.js'

function start() {
  const clock = createManualClock()
  return { clock, tickets: createTickets({ clock, secrets: createSystemSecrets() }) }
}

t.test('a redeemed ticket names its subject once and nobody afterwards', async (t) => {
  const { tickets } = start()
  const [alices, bobs] = [tickets.issue('alice'), tickets.issue('bob')]
  t.match(alices, /^[\w-]{43}$/, '256 bits')
  t.not(alices, bobs)
  t.equal(tickets.redeem(bobs), 'bob')
  t.equal(tickets.redeem(alices), 'alice')
  t.equal(tickets.redeem(alices), null)
  t.equal(tickets.redeem(''), null)
})

t.test('a ticket is good until its lifetime is over, and then it is not', async (t) => {
  const { clock, tickets } = start()
  const [early, late] = [tickets.issue('alice'), tickets.issue('alice')]
  await clock.advance(TICKET_LIFETIME_S * 1000 - 1)
  t.equal(tickets.redeem(early), 'alice')
  await clock.advance(1)
  t.equal(tickets.redeem(late), null)
})

t.test('tickets of one subject above the limit end the oldest of that subject only', async (t) => {
  const { tickets } = start()
  const bobs = tickets.issue('bob')
  const first = tickets.issue('alice')
  const others = Array.from({ length: TICKETS_MAX }, () => tickets.issue('alice'))
  t.equal(tickets.redeem(first), null)
  t.equal(tickets.redeem(bobs), 'bob')
  for (const ticket of others) t.equal(tickets.redeem(ticket), 'alice')
})
