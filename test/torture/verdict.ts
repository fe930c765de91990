/** Judges whether what is seen of a session can result from its attempts, with every acknowledged attempt done exactly once. */
import { type Account, type Attempt, doesRemove, type Sighting } from './account.js'
import { isMemory, isQuestion } from './tokens.js'

/**
 * `lost`: acknowledged but missing. `doubled`: present, or counted, more than once. `returned`: present after an acknowledged removal.
 * `torn`: a write that happened in part. `foreign`: present without having been requested. `miscounted`: the counts of the metrics differ
 * from the listing.
 */
export type FindingSort = 'lost' | 'doubled' | 'returned' | 'torn' | 'foreign' | 'miscounted'

export interface Finding {
  readonly sort: FindingSort
  /** Number of tokens or turns affected. */
  readonly count: number
  readonly detail: string
}

export interface Verdict {
  readonly findings: Finding[]
  /** Number of counted messages whose memories were deleted. */
  readonly forgottenQuestions: number
  /** Number of attempts with an unknown outcome that left what they were to add. */
  readonly unansweredDone: number
}

/** Whether an attempt happened, as shown by its answer or by what it left. */
type Happened = 'yes' | 'maybe' | 'no'

interface Case {
  readonly account: Account
  readonly seen: Sighting | null
  readonly counts: ReadonlyMap<string, number>
  readonly happened: ReadonlyMap<Attempt, Happened>
}

/** Judges a session. `seen`: null if it does not exist. */
export function judge(account: Account, seen: Sighting | null): Verdict {
  const counts = new Map<string, number>()
  for (const token of seen?.tokens ?? []) if (token !== null) counts.set(token, (counts.get(token) ?? 0) + 1)
  const happened = new Map(account.attempts.map((attempt) => [attempt, hasHappened(attempt, account, seen, counts)]))
  const held: Case = { account, seen, counts, happened }
  const questions = judgeQuestions(held)
  const findings = [...judgeTokens(held), ...judgeStrangers(held), ...judgeExistence(held), ...questions.findings, ...judgeTotals(seen)]
  const unansweredDone = account.attempts.filter((attempt) => attempt.outcome === 'unknown' && happened.get(attempt) === 'yes').length
  return { findings, forgottenQuestions: questions.forgottenQuestions, unansweredDone }
}

function hasHappened(
  { operation, outcome }: Attempt,
  account: Account,
  seen: Sighting | null,
  counts: ReadonlyMap<string, number>
): Happened {
  const { adds, removes } = operation
  if (outcome === 'acknowledged') return 'yes'
  if (outcome === 'refused') return 'no'
  if (adds.length > 0) return adds.some((token) => counts.has(token)) ? 'yes' : 'maybe'
  if (removes === 'session') return seen !== null && seen.createdAt === account.createdAt ? 'no' : 'maybe'
  return [...counts.keys()].some((token) => doesRemove(operation, token)) ? 'no' : 'maybe'
}

/** Judges each token that was seen last time or written since, considering everything that may have removed it. */
function judgeTokens(held: Case): Finding[] {
  const settled = [...held.account.present].map((token) => judgeToken(held, token, null))
  const tried = held.account.attempts.flatMap((writer) => writer.operation.adds.map((token) => judgeToken(held, token, writer)))
  return [...settled, ...tried].filter((finding) => finding !== null)
}

/** Judges one token. `writer`: null if it was seen last time. */
function judgeToken(held: Case, token: string, writer: Attempt | null): Finding | null {
  const { account, counts, happened } = held
  const count = counts.get(token) ?? 0
  const wrote = writer === null ? 'yes' : happened.get(writer)
  const [began, ended] = writer === null ? [0, 0] : [writer.began, writer.ended]
  const removers = account.attempts.filter(
    (attempt) => attempt !== writer && attempt.ended > began && happened.get(attempt) !== 'no' && doesRemove(attempt.operation, token)
  )
  if (count > 1) return { sort: 'doubled', count: count - 1, detail: `${token} is there ${count} times` }
  if (count === 1 && wrote === 'no') return { sort: 'foreign', count: 1, detail: `${token} is there, and was refused` }
  if (count === 1) {
    const remover = removers.find((attempt) => happened.get(attempt) === 'yes' && attempt.began > ended)
    if (remover === undefined) return null
    return { sort: 'returned', count: 1, detail: `${token} is there after ${nameOf(remover)}` }
  }
  if (wrote !== 'yes' || removers.some((attempt) => isExcuse(held, attempt))) return null
  if (writer?.outcome === 'unknown') return { sort: 'torn', count: 1, detail: `${token} is missing from ${nameOf(writer)}, which happened` }
  return {
    sort: 'lost',
    count: 1,
    detail: `${token}, ${writer === null ? 'seen before' : `acknowledged by ${nameOf(writer)}`}, is missing`
  }
}

/** Whether the attempt can explain a missing token. It cannot if it may not have happened and left nothing of what it would have added. */
function isExcuse({ happened }: Case, attempt: Attempt): boolean {
  return happened.get(attempt) === 'yes' || attempt.operation.adds.length === 0
}

function judgeStrangers({ account, seen, counts }: Case): Finding[] {
  const known = new Set([...account.present, ...account.attempts.flatMap(({ operation }) => operation.adds)])
  const strangers = [...counts.keys()].filter((token) => !known.has(token))
  const unreadable = (seen?.tokens ?? []).filter((token) => token === null).length
  return [
    ...strangers.map((token): Finding => ({
      sort: account.gone.has(token) ? 'returned' : 'foreign',
      count: 1,
      detail: `${token} was not there before`
    })),
    ...(unreadable === 0 ? [] : [{ sort: 'foreign' as const, count: unreadable, detail: `${unreadable} texts that nobody wrote` }])
  ]
}

/**
 * Judges the session's existence: it must exist after an acknowledged write, unless a removal may have come later, and must not exist after
 * a removal, unless a write may have come later.
 */
function judgeExistence({ account, seen, happened }: Case): Finding[] {
  const removals = account.attempts.filter((attempt) => isRemoval(attempt) && happened.get(attempt) !== 'no')
  const writes = account.attempts.filter((attempt) => !isRemoval(attempt) && happened.get(attempt) !== 'no')
  if (seen !== null) {
    const isGone = removals.some((removal) => happened.get(removal) === 'yes' && !writes.some(({ ended }) => ended > removal.began))
    const wasThere = account.createdAt !== null || writes.length > 0
    return isGone || !wasThere ? [{ sort: 'returned', count: 1, detail: 'the session is there after its removal' }] : []
  }
  const proofs = [
    ...(account.createdAt === null ? [] : [0]),
    ...writes.filter((write) => happened.get(write) === 'yes').map(({ began }) => began)
  ]
  const isLost = proofs.some((began) => !removals.some((removal) => removal.ended > began))
  return isLost ? [{ sort: 'lost', count: 1, detail: 'the session is not there' }] : []
}

function isRemoval({ operation }: Attempt): boolean {
  return operation.removes === 'session'
}

/**
 * Judges `interaction_count`: the number of turns since the session began or was reset, each of which left its message as a memory. So it
 * equals the number of messages present plus those deleted one by one.
 */
function judgeQuestions({ account, seen, counts, happened }: Case): Pick<Verdict, 'findings' | 'forgottenQuestions'> {
  if (seen === null) return { findings: [], forgottenQuestions: 0 }
  const attempts = account.attempts.filter((attempt) => happened.get(attempt) !== 'no')
  const deletions = attempts.flatMap(({ operation: { removes } }) => (typeof removes === 'string' ? [] : removes))
  const forgottenNow = new Set(deletions.filter((token) => isQuestion(token) && !counts.has(token))).size
  const isWiped = attempts.some(({ operation: { removes } }) => typeof removes === 'string')
  const there = [...counts.keys()].filter(isQuestion).length
  const most = there + account.forgottenQuestions + forgottenNow
  const least = isWiped ? there : most
  const { interactionCount } = seen
  const detail = `interaction_count is ${interactionCount}, and should be ${least === most ? most : `${least} to ${most}`}`
  const findings: Finding[] = []
  if (interactionCount > most) findings.push({ sort: 'doubled', count: interactionCount - most, detail })
  if (interactionCount < least) findings.push({ sort: 'lost', count: least - interactionCount, detail })
  return { findings, forgottenQuestions: Math.max(0, interactionCount - there) }
}

function judgeTotals(seen: Sighting | null): Finding[] {
  if (seen === null) return []
  const memories = seen.tokens.filter((token) => token === null || isMemory(token)).length
  const entities = seen.tokens.length - memories
  if (memories === seen.memoryCount && entities === seen.entityCount) return []
  const detail = `${memories} memories and ${entities} entities are listed, ${seen.memoryCount} and ${seen.entityCount} counted`
  return [{ sort: 'miscounted', count: 1, detail }]
}

function nameOf({ operation, outcome }: Attempt): string {
  return `${operation.name} (${outcome})`
}
