/** Records all attempts and their outcomes: the reference with which a session is compared after each kill. */
import { type Account, type Attempt, doesRemove, type Operation, type Outcome, type Sighting } from './account.js'
import { judge, type Verdict } from './verdict.js'

export interface Ledger {
  begin(operation: Operation): Attempt
  end(attempt: Attempt, outcome: Outcome): void
  /** Tokens that are certainly present: acknowledged or seen, with no attempt that may have removed them. */
  standing(session: string): string[]
  /** Compares what is seen with what must be, then takes what is seen as the new state. `seen`: null if the session does not exist. */
  check(session: string, seen: Sighting | null): Verdict
}

/** Creates an empty ledger: no session exists. */
export function createLedger(): Ledger {
  const accounts = new Map<string, Account>()
  let places = 0
  const accountOf = (session: string) => {
    const known = accounts.get(session)
    const account: Account = known ?? { createdAt: null, present: new Set(), gone: new Set(), forgottenQuestions: 0, attempts: [] }
    if (known === undefined) accounts.set(session, account)
    return account
  }
  return {
    begin(operation) {
      const attempt: Attempt = { operation, began: ++places, ended: Infinity, outcome: 'unknown' }
      accountOf(operation.session).attempts.push(attempt)
      return attempt
    },
    end(attempt, outcome) {
      attempt.outcome = outcome
      if (outcome !== 'unknown') attempt.ended = ++places
    },
    standing(session) {
      const { present, attempts } = accountOf(session)
      const isLeft = (token: string, began: number) =>
        !attempts.some(
          ({ operation, outcome, ended }) =>
            outcome !== 'refused' && ended > began && !operation.adds.includes(token) && doesRemove(operation, token)
        )
      const added = attempts
        .filter(({ outcome }) => outcome === 'acknowledged')
        .flatMap(({ operation, began }) => operation.adds.filter((token) => isLeft(token, began)))
      return [...[...present].filter((token) => isLeft(token, 0)), ...added]
    },
    check(session, seen) {
      const account = accountOf(session)
      const verdict = judge(account, seen)
      settle(account, seen, verdict.forgottenQuestions)
      return verdict
    }
  }
}

function settle(account: Account, seen: Sighting | null, forgottenQuestions: number): void {
  const present = new Set((seen?.tokens ?? []).filter((token) => token !== null))
  for (const token of [...account.present, ...account.attempts.flatMap(({ operation }) => operation.adds)]) {
    if (!present.has(token)) account.gone.add(token)
  }
  account.present = present
  account.createdAt = seen?.createdAt ?? null
  account.forgottenQuestions = forgottenQuestions
  account.attempts = []
}
