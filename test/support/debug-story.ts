/** A running service with its debugger and sample data: sessions, a cluster of two, and a conversation that drifts. */
import type { Test } from 'tap'
import type { ServiceOverrides } from '../../src/composition/parts.js'
import { builtPage } from './built.js'
import { type Caller, startService } from './real-service.js'

export interface DebugStory {
  /** Base URL of the service. */
  readonly url: string
  readonly caller: Caller
  /** Returns a caller with another subject's licence. */
  as(subject: string): Promise<Caller>
  run(sessionId: string, message: string, response?: string): Promise<void>
  close(): Promise<void>
}

/** Starts the service on loopback, with the page. */
export async function startDebugStory(
  t: Test,
  overrides: Pick<ServiceOverrides, 'clock'> = {},
  settings: Readonly<Record<string, string>> = {}
): Promise<DebugStory> {
  const env = { SERVICE_PORT: '0', SERVICE_DEBUG_UI: '1', SERVICE_DEBUG_TRACE: '1', ...settings }
  const { service, as, close } = await startService(t, { env, overrides: { debugPageFolder: await builtPage(), ...overrides } })
  const url = await service.http.listen({ host: '127.0.0.1', port: 0 })
  const caller = await as('ann')
  return {
    url,
    caller,
    as,
    close,
    async run(sessionId, message, response) {
      const { status } = await caller.post('/v1/run', { session_id: sessionId, message, ...(response !== undefined && { response }) })
      t.equal(status, 200)
    }
  }
}

const CONVERSATION: readonly (readonly [message: string, answer: string])[] = [
  ['How do I enable two-factor sign-in for my mail account?', 'Settings, Security, Two-step verification, then choose an app.'],
  ['Which authenticator app works for the mail account without a phone?', 'Any app with time-based codes, also on a laptop.'],
  ['Can I print backup codes for the two-factor sign-in?', 'Yes: Settings, Security, Backup codes.'],
  ['My sourdough bread is dense, what flour should I take?', 'A strong flour, and longer fermentation.'],
  ['How long does the bread dough rest overnight?', 'Eight to twelve hours in the fridge.'],
  ['Where did I find the backup codes for the mail account?', 'Settings, Security, Backup codes.']
]

/** Runs six turns of one session, one turn in each of two others, and creates a cluster of both with its backing session. */
export async function tellStory({ caller, run }: DebugStory): Promise<void> {
  let answer: string | undefined
  for (const [message, next] of CONVERSATION) {
    await run('anna', message, answer)
    answer = next
  }
  await run('ben', 'The train to Lisbon leaves at nine.')
  await run('cleo', 'The museum in Lisbon is closed on Mondays.')
  await caller.post('/v1/cluster/', { cluster_id: 'travel', aggregation_mode: 'weighted_average' })
  for (const session of ['ben', 'cleo']) await caller.post('/v1/cluster/travel/members', { session_id: session })
}
