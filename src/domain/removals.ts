/** Commands that end an actor, and with it every trace of what it was asked. */
import type { Command, ReplyOf } from './commands.js'
import type { ErrorCode } from './errors.js'

/** Each with the refusal of one that comes when the actor has ended. */
const REMOVALS = {
  'session.delete': 'session_missing',
  'cluster.delete': 'cluster_missing',
  'region.delete': 'region_missing',
} as const satisfies Partial<Record<Command['type'], ErrorCode>>

type Removal = Extract<Command, { readonly type: keyof typeof REMOVALS }>

const REMOVED: ReplyOf<Removal> = { deleted: true }

/**
 * What a removal is answered that was refused with `code` when it was repeated, after a first try that may have been carried out:
 * what is gone was removed by that one, or by another that came between, which is the same to who asked. Undefined: the refusal stands.
 */
export function removalReply({ command }: { readonly command: { readonly type: string } }, code: ErrorCode): { readonly reply: ReplyOf<Removal> } | undefined {
  return isRemoval(command.type) && REMOVALS[command.type] === code ? { reply: REMOVED } : undefined
}

function isRemoval(type: string): type is Removal['type'] {
  return Object.hasOwn(REMOVALS, type)
}
