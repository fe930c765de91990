import t from 'tap'
import { contentTerms } from '../../../src/domain/text/terms.js'
import { changesOf, isChangeOf, isStateTerm } from '../../../src/domain/words/state-changes.js'

const stem = (word: string, language: 'english' | 'german'): string =>
  contentTerms(`${language === 'english' ? 'the and of' : 'der die und nicht'} ${word}`)[0] ?? ''

t.test('a verb of a state is changed by its own verbs and by those that change any, in each language', async (t) => {
  for (const [state, change, language] of [
    ['lived', 'moved', 'english'],
    ['use', 'migrated', 'english'],
    ['use', 'changed', 'english'],
    ['wohne', 'gezogen', 'german'],
    ['heißt', 'umbenannt', 'german'],
    ['heißt', 'geändert', 'german']
  ] as const)
    t.ok(isChangeOf(stem(change, language), stem(state, language)), `${state}: ${change}`)
  t.notOk(isChangeOf(stem('renamed', 'english'), stem('live', 'english')))
  t.notOk(isChangeOf(stem('moved', 'english'), stem('table', 'english')))
})

t.test('what changes any state is no change of this one alone, and a noun is no state', async (t) => {
  t.ok(changesOf(stem('live', 'english')).has(stem('moved', 'english')))
  t.notOk(changesOf(stem('name', 'english')).has(stem('changed', 'english')))
  t.notOk(isStateTerm(stem('manager', 'english')))
  t.equal(changesOf('table').size, 0)
})

t.test('a verb that changes any state does so in its own language, as stems of that are', async (t) => {
  const english = ['moved', 'changes', 'switched', 'shifted', 'replaces', 'updating', 'becoming']
  const german = ['ändern', 'wechseln', 'getauschte', 'ersetztes', 'umgestellte', 'verlegten', 'aktualisierte', 'geworden']
  for (const change of english) t.ok(isChangeOf(stem(change, 'english'), stem('name', 'english')), change)
  for (const change of german) t.ok(isChangeOf(stem(change, 'german'), stem('wohne', 'german')), change)
})
