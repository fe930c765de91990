import type { Memory } from './session.js'

/** Whether a memory has not expired at `now`, in epoch seconds. It expires at `expiresAt` itself. */
export function isAlive(memory: Memory, now: number): boolean {
  return memory.expiresAt === null || memory.expiresAt > now
}
