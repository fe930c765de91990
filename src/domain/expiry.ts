import type { Memory } from './session.js'

/** Whether a memory has not expired; `now` in epoch seconds. At `expiresAt` itself it has. */
export function isAlive(memory: Memory, now: number): boolean {
  return memory.expiresAt === null || memory.expiresAt > now
}
