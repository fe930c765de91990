/**
 * What texts can differ in; `unread`: they are too long to be compared, or one comparison more than the call may make. `stale`: they do not
 * differ, and something newer was said of the matter. `reference`: they mean what was said before each of them. `task`: they ask for
 * something to be done, or made anew, each time.
 */
export const FACT_KINDS = [
  'negation',
  'opposite',
  'number',
  'time',
  'literal',
  'name',
  'question',
  'person',
  'tense',
  'relation',
  'content',
  'order',
  'unread',
  'stale',
  'reference',
  'task'
] as const

export type FactKind = (typeof FACT_KINDS)[number]
