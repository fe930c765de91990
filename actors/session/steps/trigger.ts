import type { ClearTriggers, ControlReplies, SetTrigger } from '../../../src/domain/commands/control-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { TRIGGERS_MAX } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { Trigger } from '../../../src/domain/session.js'
import { foldFully } from '../../../src/domain/words/triggers.js'
import { toUnitVector } from '../record/embedding.js'
import { TRIGGER } from '../record/head.js'
import type { Work } from '../record/work.js'

/** Sets a trigger, replacing one with the same keyword. */
export function* setTrigger(work: Work, command: SetTrigger): Pieces<ControlReplies['trigger.set']> {
  const { state, journal, services } = work
  if (command.keyword !== undefined && foldFully(command.keyword) === '') {
    throw new DomainError('invalid_input', 'Keyword should have at least one visible character', { loc: ['keyword'] })
  }
  const embedding = command.embedding === undefined ? null : toUnitVector(command.embedding, state.head.settings.dimension, ['embedding'])
  const known = yield* sameKeyword(state.triggers.values(), command.keyword)
  if (known === undefined && state.triggers.size >= TRIGGERS_MAX) {
    throw new DomainError('limit_reached', `Session has ${String(TRIGGERS_MAX)} triggers, which is the most it can hold`)
  }
  const trigger: Trigger = {
    id: known?.id ?? services.ids.uuid(),
    keyword: command.keyword ?? null,
    embedding,
    threshold: command.threshold,
    firedCount: known?.firedCount ?? 0,
    firedTurn: known?.firedTurn ?? 0
  }
  state.triggers.set(trigger.id, trigger)
  journal.put(TRIGGER, trigger.id, trigger)
  return { triggerCount: state.triggers.size }
}

export function clearTriggers({ state, journal }: Work, _: ClearTriggers): ControlReplies['trigger.clear'] {
  for (const id of state.triggers.keys()) journal.remove(TRIGGER, id)
  state.triggers.clear()
  return { triggerCount: 0 }
}

function* sameKeyword(triggers: Iterable<Trigger>, keyword: string | undefined): Pieces<Trigger | undefined> {
  if (keyword === undefined) return undefined
  const folded = foldFully(keyword)
  for (const trigger of triggers) {
    if (trigger.keyword === null) continue
    yield
    if (foldFully(trigger.keyword) === folded) return trigger
  }
  return undefined
}
