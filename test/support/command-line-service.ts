/** The whole service in this process, on a port of loopback, with what a command line needs to speak to it. */
import type { Test } from 'tap'
import { type Caller, startService } from './real-service.js'

export interface ListeningService {
  readonly url: string
  readonly caller: Caller
  /** Variables of the command line for this caller. */
  readonly env: { readonly ENGRAM_URL: string; readonly ENGRAM_TOKEN: string }
  /** The same for another licence subject. */
  envOf(subject: string): Promise<{ readonly ENGRAM_URL: string; readonly ENGRAM_TOKEN: string }>
}

/** Ends with its test. */
export async function startListening(t: Test, env: Readonly<Record<string, string>> = {}): Promise<ListeningService> {
  const { service, as } = await startService(t, { nodes: 1, env: { SERVICE_PORT: '0', ...env } })
  const url = await service.listen()
  const caller = await as('anna')
  const envOf = async (subject: string) => ({ ENGRAM_URL: url, ENGRAM_TOKEN: (await as(subject)).token })
  return { url, caller, env: await envOf('anna'), envOf }
}
