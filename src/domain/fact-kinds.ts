/**
 * Ways in which texts can differ. `unread`: too long to compare, or beyond the comparisons allowed per call. `stale`: no difference, but
 * something newer was said on the matter. `reference`: both refer to what was said before them. `task`: they ask for something to be done
 * or made anew each time.
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
