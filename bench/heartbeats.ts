/**
 * Cost for one node, and for the broker, of every node hearing every other: a real node among members that only send heartbeats, twice a
 * second like real ones. Run with `npm run bench:heartbeats`, or `-- 10 100` for numbers of members.
 */
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { readNumbers } from '../src/tools/arguments.js'
import { membersTopic } from '../actors/placement/topics.js'
import { HEARTBEAT_MS } from '../machines/membership-machine.js'
import { createNatsBus } from '../src/bus/nats/bus.js'
import type { Heartbeat } from '../src/domain/nodes/membership.js'
import { createSystemClock } from '../src/platform/clock.js'
import { createSystemIds } from '../src/platform/random-sources.js'
import type { Logger } from '../src/ports.js'
import { createNodeRig, metricOf, pause, processorUse, UP } from './node-rig.js'

const MEMBERS = [0, 30, 100, 300, 1_000]
const MEASURED_MS = 10_000
/**
 * Milliseconds until the node knows all members, plus a share for each: every newcomer triggers a new placement and an additional
 * heartbeat.
 */
const SETTLE_MS = 5_000
const SETTLE_EACH_MS = 20
/** Number of groups in which heartbeats are sent, so that they are spread over time like those of real nodes. */
const GROUPS = 25

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

async function main(): Promise<void> {
  const asked = readNumbers('npm run bench:heartbeats -- [MEMBERS…]')
  print(`Node ${process.version}, ${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown processor'}`)
  print('members  known  came  processor of the node  of the broker  a heartbeat at the node  lag of its event loop p99')
  const rig = await createNodeRig()
  const bus = await createNatsBus({ url: rig.natsUrl, name: 'bench', clock: createSystemClock(), logger: SILENT })
  try {
    let atRest: number | null = null
    for (const members of asked.length > 0 ? asked : MEMBERS) {
      const nodes = await rig.startNodes(1)
      const url = nodes.urls[0] ?? ''
      let said = 0
      const quiet = beat(members, (heartbeat) => {
        bus.publish(membersTopic(heartbeat.nodeId), heartbeat)
        said += 1
      })
      await pause(SETTLE_MS + members * SETTLE_EACH_MS)
      const [before, started, saidBefore] = [processorUse(), performance.now(), said]
      await pause(MEASURED_MS)
      const [after, wallMs] = [processorUse(), performance.now() - started]
      const lagMs = (await metricOf(url, 'service_event_loop_lag_seconds{quantile="0.99"}')) * 1000
      const [known, came] = [await metricOf(url, UP), await metricOf(url, 'service_membership_changes_total{change="joined"}')]
      quiet()
      const nodeMs = after.nodes - before.nodes
      atRest ??= nodeMs
      const aHeartbeat = ((nodeMs - atRest) * 1000) / (said - saidBefore)
      print(
        `${String(members).padStart(7)} ${String(known - 1).padStart(6)} ${String(came).padStart(5)} ${((nodeMs / wallMs) * 100).toFixed(1).padStart(20)} % ${(((after.broker - before.broker) / wallMs) * 100).toFixed(1).padStart(12)} % ` +
          `${members === 0 ? '-'.padStart(22) : `${aHeartbeat.toFixed(0).padStart(19)} µs`} ${lagMs.toFixed(1).padStart(23)} ms`
      )
      await nodes.stop()
    }
  } finally {
    await bus.close()
    await rig.close()
  }
}

/** Sends heartbeats until the returned function is called. */
function beat(members: number, say: (heartbeat: Heartbeat) => void): () => void {
  const ids = createSystemIds()
  const heartbeats = Array.from({ length: members }, (_, at): Heartbeat => ({
    nodeId: `member-${String(at)}`,
    incarnation: ids.uuid(),
    state: 'up',
    activeSessions: 0,
    beatMs: 0,
    view: '0123456789abcdef'
  }))
  let group = 0
  const timer = setInterval(() => {
    for (let at = group; at < members; at += GROUPS) {
      const heartbeat = heartbeats[at]
      if (heartbeat !== undefined) say(heartbeat)
    }
    group = (group + 1) % GROUPS
  }, HEARTBEAT_MS / GROUPS)
  return () => clearInterval(timer)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

await main()
