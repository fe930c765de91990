/**
 * Processor time of a run with a trace collector and with MCP tools, relative to one with neither, alternating. A second service with
 * neither shows the noise.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Findings, figureOf, type MeasureOptions } from '../figures.js'
import { fillSessions, sendLoad } from '../load.js'
import { startServed } from '../service-process.js'
import { textOf } from '../texts.js'
import { costOf } from './run.js'

const MEMORIES = 1_000
const RUNS = 200
const ROUNDS = 15
const CONNECTIONS = 32

export async function measureExtras({ isShort }: MeasureOptions): Promise<Findings> {
  const collector = createServer((request, response) => request.resume().on('end', () => response.end()))
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const url = `http://127.0.0.1:${String((collector.address() as AddressInfo).port)}`
  const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    neither: { SERVICE_MCP: '0' },
    'neither, again': { SERVICE_MCP: '0' },
    tools: { SERVICE_MCP: '1' },
    traces: { SERVICE_MCP: '0', OTEL_EXPORTER_OTLP_ENDPOINT: url }
  }
  const names = Object.keys(settings)
  const served = await Promise.all(Object.values(settings).map(startServed))
  const runs = isShort ? 4 : RUNS
  const memories = isShort ? 20 : MEMORIES
  for (const { url } of served) await fillSessions(url, { name: 's', sessions: 1, memories })
  let number = 1_000_000
  const loadOf = ({ url }: { readonly url: string }) => {
    const bodyOf = () => ({ session_id: 's0', message: textOf(number++) })
    return sendLoad({ url, path: '/v1/run', connections: CONNECTIONS, requests: runs, bodyOf })
  }
  for (const one of served) await loadOf(one)
  const usedMs = names.map((): number[] => [])
  for (let round = 0; round < (isShort ? 1 : ROUNDS); round++)
    for (const [at, one] of served.entries()) usedMs[at]?.push((await costOf(one, () => loadOf(one))) / runs)
  for (const one of served) await one.close()
  collector.closeAllConnections()
  collector.close()

  const [plain = [], ...others] = usedMs
  const ratios = others.map((samples, at) => {
    const name = `run with ${names[at + 1] ?? ''} over one with neither`
    return figureOf(
      name,
      '×',
      samples.map((sample, round) => sample / (plain[round] ?? NaN))
    )
  })
  return { figures: [figureOf('run with neither traces nor tools', 'ms', plain), ...ratios] }
}
