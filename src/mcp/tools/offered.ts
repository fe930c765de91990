/** All tools, in the order in which they are listed. */
import type { Tool } from './tool.js'
import { drift } from './drift.js'
import { forget, forgetUser, listMemories } from './memories.js'
import { recall } from './recall.js'
import { remember } from './remember.js'
import { search } from './search.js'
import { createSession, deleteSession, listSessions } from './sessions.js'

const ALWAYS: readonly Tool[] = [remember, recall, search, listMemories, forget, listSessions, createSession, deleteSession, drift]

/** `erasesUsers`: whether the service runs with its compliance pack. */
export function toolsOf({ erasesUsers }: { readonly erasesUsers: boolean }): readonly Tool[] {
  return erasesUsers ? [...ALWAYS, forgetUser] : ALWAYS
}
