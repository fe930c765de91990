/** A cluster of two sessions in a rig, and the messages between them. */
import type { Exchange } from '../../src/domain/commands/coordination-commands.js'
import { RIG_START, type RigSession, type SessionRig } from './session-rig.js'

export const QUESTION = 'How do I enable two-factor sign-in?'
export const ANSWER = 'Open Settings, choose Security and turn on two-factor sign-in.'

export const exchange = (own: Partial<Exchange> = {}): Exchange => ({
  question: QUESTION,
  answer: ANSWER,
  userId: null,
  timestamp: RIG_START,
  ...own
})

export const match = (message: string) => ({ type: 'exchange.match', message, shortCircuitThreshold: 0.85 }) as const

/** Creates the cluster `c` with the members `a` and `b`. */
export async function team(rig: SessionRig): Promise<{ shared: RigSession; a: RigSession; b: RigSession }> {
  const shared = await rig.cluster('c')
  const [a, b] = [await rig.create('a'), await rig.create('b')]
  await rig.join('c', a, b)
  return { shared, a, b }
}

/** Returns the texts in a session, oldest first. */
export async function texts(session: RigSession): Promise<string[]> {
  return (await session.list()).map(({ text }) => text)
}
