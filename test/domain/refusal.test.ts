import t from 'tap'
import { DomainError } from '../../src/domain/errors.js'
import { isRefusal, toDomainError, toRefusal } from '../../src/domain/refusal.js'

t.test('a refusal crosses as code, message and field, and is the same error again', async (t) => {
  for (const options of [{}, { loc: ['body', 'texts', 2] }]) {
    const error = new DomainError('invalid_input', 'Too long', { ...options, cause: new Error('of this process alone') })
    const refusal = toRefusal(error)
    t.strictSame(refusal, { code: 'invalid_input', message: 'Too long', ...options })
    t.ok(isRefusal(structuredClone(refusal)))
    const again = toDomainError(refusal)
    t.ok(again instanceof DomainError)
    t.strictSame(toRefusal(again), refusal)
    t.equal(again.cause, undefined)
  }
})

t.test('of an error that is no refusal nothing is told', async (t) => {
  for (const error of [new Error('password'), 'password', null, undefined, { code: 'busy', message: 'password' }])
    t.strictSame(toRefusal(error), { code: 'internal', message: 'Internal error' })
})

t.test('what another node sends is a refusal only with a code of ours, a text and a path of names and numbers', async (t) => {
  const sound = { code: 'busy', message: 'Too much' }
  t.ok(isRefusal(sound))
  t.ok(isRefusal({ ...sound, message: '', loc: [] }))
  t.ok(isRefusal({ ...sound, loc: ['body', 0] }))
  for (const odd of [
    ...[null, undefined, 'busy', 7, [], {}, { code: 'busy' }, { message: 'Too much' }],
    ...[
      { ...sound, code: 'king' },
      { ...sound, code: 'toString' },
      { ...sound, code: ['busy'] },
      { ...sound, message: 5 }
    ],
    ...[
      { ...sound, loc: null },
      { ...sound, loc: 'body' },
      { ...sound, loc: [{}] },
      { ...sound, loc: ['body', null] }
    ],
    ...[{ ...sound, loc: { every: () => true } }]
  ])
    t.notOk(isRefusal(odd), JSON.stringify(odd))
})
