/** Repeats load, kill -9, restart and comparison, on the same data and with the same ledger. */
import { setTimeout as passed } from 'node:timers/promises'
import type { Attempt, Outcome } from './account.js'
import { type Chance, createChance } from './chance.js'
import { createLedger, type Ledger } from './ledger.js'
import { createOf, createWrites, type Write } from './operations.js'
import { observe, sendWrite } from './service-client.js'
import { type Program, type ServiceProcess, startServiceProcess } from './service-process.js'
import type { Finding } from './verdict.js'

export interface KillLoopOptions {
  readonly program: Program
  /** Configuration of the service; the data that it names outlives every process. */
  readonly env: Readonly<Record<string, string>>
  /** Number of kills under load. */
  readonly kills: number
  readonly seed: number
  /** Called with each attempt, kill and finding, in order. */
  readonly note: (line: object) => void
}

export interface KillLoopResult {
  readonly kills: number
  /** Further kills, while the data was read back after a kill. */
  readonly killsAtReading: number
  /** Number of writes requested. */
  readonly operations: number
  readonly acknowledged: number
  /** Writes with an unknown outcome: those under way at a kill, and those answered with 503. */
  readonly unknown: number
  /** Those of `unknown` that had happened: the kill came between a commit and its answer. */
  readonly unansweredDone: number
  readonly findings: readonly (Finding & { readonly session: string; readonly round: number })[]
  /** Errors that the processes logged. */
  readonly complaints: readonly string[]
}

/** More than the cores, so that commits are batched and steps wait; fewer than a mailbox holds, so that none is refused. */
const CLIENTS = 16
/** Fewer than the clients, so that some clients share a session. */
const SESSIONS = ['one', 'two', 'three', 'four', 'five', 'six']
/**
 * Range of writes sent before a kill: at least three per client, so that two were answered, and enough for the sessions to grow over the
 * rounds.
 */
const WRITES_MIN = 3 * CLIENTS
const WRITES_MAX = 160
/** Most milliseconds from the last write to the kill: as long as a few commits, so that the kill falls anywhere in one. */
const DELAY_MS_MAX = 12
/** Once in this many rounds, the process is also killed while it rehydrates its sessions. */
const KILL_AT_READING_ONE_IN = 8

interface Run {
  readonly options: KillLoopOptions
  readonly chance: Chance
  readonly ledger: Ledger
  readonly nextWrite: (client: number) => Write
  readonly findings: KillLoopResult['findings'][number][]
  readonly complaints: string[]
  readonly counts: { kills: number; killsAtReading: number; operations: number; unansweredDone: number } & Record<Outcome, number>
}

/** Throws if the service ends by itself, does not restart, or gives an unexpected answer. */
export async function runKillLoop(options: KillLoopOptions): Promise<KillLoopResult> {
  const chance = createChance(options.seed)
  const ledger = createLedger()
  const nextWrite = createWrites({ chance, sessions: SESSIONS, standing: (session) => ledger.standing(session) })
  const counts = { kills: 0, killsAtReading: 0, operations: 0, unansweredDone: 0, acknowledged: 0, refused: 0, unknown: 0 }
  const run: Run = { options, chance, ledger, nextWrite, findings: [], complaints: [], counts }
  let service = await start(run)
  try {
    while (counts.kills < options.kills) {
      await loadUntilKilled(run, service)
      service = await start(run)
      if (chance.oneIn(KILL_AT_READING_ONE_IN)) {
        await killAtReading(run, service)
        service = await start(run)
      }
      for (const session of SESSIONS) await compare(run, service, session)
    }
  } finally {
    await service.kill()
    run.complaints.push(...service.complaints)
  }
  return { ...counts, findings: run.findings, complaints: run.complaints }
}

function start({ options }: Run): Promise<ServiceProcess> {
  return startServiceProcess(options.program, options.env)
}

async function loadUntilKilled(run: Run, service: ServiceProcess): Promise<void> {
  const { options, chance, ledger, nextWrite, counts } = run
  const writes = chance.integer(WRITES_MIN, WRITES_MAX)
  const delayMs = chance.integer(0, DELAY_MS_MAX)
  let sent = 0
  let killed: Promise<void> | undefined
  const attempts: Attempt[] = []

  async function client(number: number): Promise<void> {
    for (;;) {
      const write = nextWrite(number)
      const attempt = ledger.begin(write.operation)
      attempts.push(attempt)
      sent += 1
      if (sent === writes) killed = passed(delayMs).then(() => service.kill())
      const { outcome, status } = await sendWrite(service.url, write)
      ledger.end(attempt, outcome)
      if (status !== null) continue
      if (killed === undefined) throw new Error(`The service ended by itself:\n${service.complaints.join('\n')}`)
      return
    }
  }
  try {
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))
    await killed
  } finally {
    for (const attempt of attempts) options.note(attempt)
  }
  counts.kills += 1
  options.note({ kill: counts.kills, delayMs })
  counts.operations += attempts.length
  for (const { outcome } of attempts) counts[outcome] += 1
  run.complaints.push(...service.complaints)
}

/** Kills the process while it reads back what the last kill left, before anything is written: that must survive, too. */
async function killAtReading(run: Run, service: ServiceProcess): Promise<void> {
  const { options, chance, counts } = run
  const readings = SESSIONS.map((session) => observe(service.url, session))
  await Promise.race([...readings.map((reading) => reading.catch(() => undefined)), passed(chance.integer(0, DELAY_MS_MAX))])
  await service.kill()
  await Promise.allSettled(readings)
  counts.killsAtReading += 1
  options.note({ killAtReading: counts.killsAtReading })
  run.complaints.push(...service.complaints)
}

async function compare(run: Run, service: ServiceProcess, session: string): Promise<void> {
  const { options, ledger, findings, counts } = run
  let seen = await observe(service.url, session)
  // A missing session is created, in case a creation that the killed process sent arrives after this read.
  const isMade = seen === null && (await sendWrite(service.url, createOf(session))).outcome === 'acknowledged'
  if (seen === null && !isMade) seen = await observe(service.url, session)
  const verdict = ledger.check(session, seen)
  counts.unansweredDone += verdict.unansweredDone
  if (isMade) ledger.end(ledger.begin(createOf(session).operation), 'acknowledged')
  for (const finding of verdict.findings) {
    const located = { ...finding, session, round: counts.kills }
    findings.push(located)
    options.note(located)
  }
}
