import t from 'tap'
import { refuse } from '../../../actors/asking/envelope.js'
import { answerAfter, type AttemptOutcome, attemptsBefore, withAttempt } from '../../../actors/placement/attempt-history.js'
import { DomainError, type ErrorCode } from '../../../src/domain/errors.js'

const AGAIN = 'again'

interface Options {
  readonly isReading?: boolean
  readonly isHopeless?: boolean
}

/** Answer to the asker after these tries: the code of a refusal, `answered`, or AGAIN if another try follows. */
function told(tries: readonly (readonly [ErrorCode, AttemptOutcome])[], { isReading = false, isHopeless = false }: Options = {}) {
  let before = attemptsBefore(null)
  let answer: string = AGAIN
  for (const [code, fate] of tries) {
    const tried = { answer: refuse(new DomainError(code, code)), fate }
    before = withAttempt(before, tried, 1)
    const given = answerAfter(before, tried, { code, isReading, isHopeless })
    answer = given === null ? AGAIN : 'refusal' in given ? given.refusal.code : 'answered'
  }
  return answer
}

t.test('what was certainly not done is tried again, what is refused for a reason of its own is not', (t) => {
  for (const code of ['unreachable', 'not_owner', 'draining', 'fenced'] as const) t.equal(told([[code, 'told']]), AGAIN)
  t.equal(told([['session_missing', 'told']]), 'session_missing')
  t.equal(told([['unreachable', 'told']], { isHopeless: true }), 'unreachable')
  t.equal(told([['draining', 'kept_out']]), 'draining', 'this node takes nothing more on')
  t.end()
})

t.test('an owner that has too much to do is tried four times', (t) => {
  const busy = ['busy', 'told'] as const
  t.equal(told([busy, busy, busy]), AGAIN)
  t.equal(told([busy, ['unreachable', 'told'], busy, busy]), AGAIN, 'other refusals between them do not count')
  t.equal(told([busy, busy, busy, busy]), 'busy')
  t.end()
})

t.test('of owners that ended over an ask the second one is the last, and lost lines are no owners', (t) => {
  const ended = ['deadline_passed', 'owner_ended'] as const
  const lost = ['deadline_passed', 'line_lost'] as const
  t.equal(told([ended]), AGAIN)
  t.equal(told([ended, ended]), 'outcome_unknown')
  t.equal(told([lost, lost, lost, ended]), AGAIN)
  t.end()
})

for (const fate of ['owner_ended', 'line_lost'] as const) {
  t.test(`a refusal after a try of unknown outcome (${fate}) leaves it unknown, unless it says what became of it`, (t) => {
    const before = ['deadline_passed', fate] as const
    t.equal(told([before, ['session_missing', 'told']]), 'outcome_unknown')
    t.equal(told([before, ['answer_gone', 'told']]), 'answer_gone')
    t.equal(told([before, ['session_missing', 'told']], { isReading: true }), 'session_missing')
    t.equal(told([before], { isHopeless: true }), 'outcome_unknown')
    t.end()
  })
}

t.test('the time since which it may have been done is that of the first such try, or of another node before', (t) => {
  const refused = { answer: refuse(new DomainError('unreachable', 'x')), fate: 'told' } as const
  const lost = { answer: refuse(new DomainError('deadline_passed', 'x')), fate: 'line_lost' } as const
  t.equal(withAttempt(attemptsBefore(null), refused, 1).unknownSinceMs, null)
  t.equal(withAttempt(withAttempt(withAttempt(attemptsBefore(null), refused, 1), lost, 2), lost, 3).unknownSinceMs, 2)
  t.equal(withAttempt(attemptsBefore(-5), lost, 2).unknownSinceMs, -5)
  t.end()
})
