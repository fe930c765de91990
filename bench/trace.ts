/**
 * Cost of the debugger for a run: with both flags off, with tracing but no reader, and with one reader. The three alternate in one process,
 * so that other load on the machine affects all alike. Run with `npm run bench:trace`.
 *
 * A build without the hooks cannot be measured beside this one. So their cost with the flags off is computed: how often a run checks
 * whether tracing is on, times the cost of one check.
 */
import { Readable } from 'node:stream'
import type { ServiceOverrides } from '../src/composition/parts.js'
import { readConfig } from '../src/config.js'
import { createService, type Service } from '../src/service.js'

const ROUNDS = 12
const RUNS_A_ROUND = 100

interface Variant {
  readonly name: string
  readonly service: Service
  readonly roundsMs: number[]
}

async function main(): Promise<void> {
  const variants = [
    await start('flags off', {}),
    await start('traced, nobody reads', { SERVICE_DEBUG_TRACE: '1', SERVICE_DEBUG_UI: '1' }),
    await start('traced, one reader', { SERVICE_DEBUG_TRACE: '1', SERVICE_DEBUG_UI: '1' })
  ]
  const reader = variants[2]
  if (reader !== undefined) await follow(reader.service)
  for (let round = -1; round < ROUNDS; round++) {
    for (const { service, roundsMs } of variants) {
      const ms = await measure(service, `s${String(round)}`)
      // The first round is a warm-up.
      if (round >= 0) roundsMs.push(ms)
    }
  }
  const base = median(variants[0]?.roundsMs ?? [])
  for (const { name, roundsMs, service } of variants) {
    const ms = median(roundsMs)
    process.stdout.write(
      `${name.padEnd(22)} ${ms.toFixed(3)} ms of processor a run (${Math.min(...roundsMs).toFixed(3)} to ${Math.max(...roundsMs).toFixed(3)}), × ${(ms / base).toFixed(3)}\n`
    )
    await service.close()
  }
  await weighHooks(base)
}

/** Cost of the hooks for a run without tracing: the counted checks of a run times the measured cost of one. */
async function weighHooks(runMs: number): Promise<void> {
  let questions = 0
  const counting = {
    get isEnabled() {
      questions += 1
      return false
    },
    emit: () => undefined
  }
  const { service } = await start('counted', {}, { tracer: counting })
  await measure(service, 'counted')
  await service.close()
  const aRun = questions / RUNS_A_ROUND
  const us = (aRun * nanosecondsAQuestion()) / 1000
  process.stdout.write(
    `with the flags off, a run asks ${aRun.toFixed(1)} times whether anybody traces: ${us.toFixed(3)} µs, ${((us / 1000 / runMs) * 100).toFixed(4)} % of it\n`
  )
}

const QUESTIONS_TIMED = 20_000_000

function nanosecondsAQuestion(): number {
  const tracers = [{ isEnabled: false }, { isEnabled: false }]
  let enabled = 0
  const before = process.cpuUsage()
  for (let at = 0; at < QUESTIONS_TIMED; at++) if (tracers[at & 1]?.isEnabled === true) enabled += 1
  const { user, system } = process.cpuUsage(before)
  if (enabled > 0) throw new Error('nobody traces here')
  return ((user + system) * 1000) / QUESTIONS_TIMED
}

async function start(name: string, env: Record<string, string>, overrides: ServiceOverrides = {}): Promise<Variant> {
  const config = readConfig({
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_LOG_LEVEL: 'silent',
    ...env
  })
  const service = await createService(config, overrides)
  await service.start()
  return { name, service, roundsMs: [] }
}

/** Reads the stream to its end, which comes when the service closes. */
async function follow({ http }: Service): Promise<void> {
  const minted = await http.inject({ method: 'POST', url: '/v1/debug/ticket' })
  const { ticket } = minted.json<{ ticket: string }>()
  const response = await http.inject({ method: 'GET', url: `/v1/debug/stream?ticket=${ticket}`, payloadAsStream: true })
  const stream = response.stream()
  if (stream instanceof Readable) stream.resume()
}

/** Processor milliseconds of one run, in a new session. */
async function measure({ http }: Service, sessionId: string): Promise<number> {
  const before = process.cpuUsage()
  for (let at = 0; at < RUNS_A_ROUND; at++) {
    const payload = { session_id: sessionId, message: `How do I reset password number ${String(at)} of the harbour gate?` }
    await http.inject({ method: 'POST', url: '/v1/run', payload })
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / RUNS_A_ROUND
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

await main()
