/** The whole service in this process, on a port of loopback, with the variables that the command line needs. */
import type { Test } from 'tap'
import { type Caller, startService } from './real-service.js'

export interface ListeningService {
  readonly url: string
  readonly caller: Caller
  /** Environment variables of the command line for this caller. */
  readonly env: { readonly ENGRAM_URL: string; readonly ENGRAM_TOKEN: string }
  /** Returns the variables for another licence subject. */
  envOf(subject: string): Promise<{ readonly ENGRAM_URL: string; readonly ENGRAM_TOKEN: string }>
}

/** Starts the service; stopped when the test ends. */
export async function startListening(t: Test, env: Readonly<Record<string, string>> = {}): Promise<ListeningService> {
  const { service, as } = await startService(t, { nodes: 1, env: { SERVICE_PORT: '0', ...env } })
  const url = await service.listen()
  const caller = await as('anna')
  const envOf = async (subject: string) => ({ ENGRAM_URL: url, ENGRAM_TOKEN: (await as(subject)).token })
  return { url, caller, env: await envOf('anna'), envOf }
}
