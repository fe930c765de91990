import t from 'tap'
import { createExpirations } from '../../../../actors/session/reminders/expirations.js'
import { type Address, addressKey } from '../../../../src/domain/address.js'

const session = (id: string): Address => ({ kind: 'session', subject: 'alice', id })

t.test('a session is due from the time at which its first memory expires, until it has none that does', async (t) => {
  const expirations = createExpirations()
  for (const [id, at] of [
    ['a', 10],
    ['b', 20]
  ] as const)
    expirations.note(session(id), at)
  t.same(expirations.due(9.9), [])
  t.same(expirations.due(10), [session('a')])
  t.same(
    [9.9, 10].map((now) => expirations.overdue(addressKey(session('a')), now)),
    [null, { type: 'session.sweep' }]
  )
  t.equal(expirations.overdue(addressKey(session('c')), 1_000), null, 'it has none')
  t.same(expirations.due(20), [session('a'), session('b')])
  expirations.note(session('a'), 30)
  t.same(expirations.due(20), [session('b')], 'the first one is gone')
  expirations.note(session('a'), null)
  expirations.forget(session('b'))
  t.same(expirations.due(1_000), [])
})
