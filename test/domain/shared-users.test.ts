import t from 'tap'
import { SHARED_USERS_MAX, unitedUsers } from '../../src/domain/shared-users.js'

const names = (count: number, first = 0) => Array.from({ length: count }, (_, at) => `user ${String(first + at).padStart(4, '0')}`)

t.test('users of several vectors are each named once, in order', async (t) => {
  t.same(unitedUsers([]), [])
  t.same(unitedUsers([['bob', 'ann'], [], ['ann', 'Zoe']]), ['Zoe', 'ann', 'bob'])
})

t.test('where one vector may be anybody’s the whole may be', async (t) => {
  t.equal(unitedUsers([['ann'], null]), null)
  t.equal(unitedUsers([null]), null)
})

t.test('as many as a vector names are named, and one more is anybody', async (t) => {
  t.same(unitedUsers([names(SHARED_USERS_MAX), ['user 0000']]), names(SHARED_USERS_MAX))
  t.equal(unitedUsers([names(SHARED_USERS_MAX), ['one more']]), null)
  t.equal(unitedUsers([names(SHARED_USERS_MAX + 1)]), null)
})
