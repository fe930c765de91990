/**
 * Placement of keys: balance, moved keys when a node joins or leaves, and the cost of a lookup. Compares rendezvous hashing with the two
 * usual alternatives, over the same hash, in one run: the hash modulo the number of nodes, and a ring with 128 points per node (Karger et
 * al., "Consistent hashing and random trees", STOC 1997). Run with `npm run bench:placement`, or `-- KEYS SETS SEED`.
 */
import { cpus } from 'node:os'
import { readNumbers } from '../src/tools/arguments.js'
import { type Address, addressKey } from '../src/domain/address.js'
import { murmurHash } from '../src/domain/collections/murmur-hash.js'
import { createPlacement } from '../src/domain/nodes/rendezvous.js'

const POPULATIONS = [3, 10, 50]
const VIRTUAL_NODES = 128
const [KEYS = 200_000, SETS = 5, SEED = 1] = readNumbers('npm run bench:placement -- [KEYS [SETS [SEED]]]')

type OwnerOf = (key: string) => string | null

const PLACEMENTS: Readonly<Record<string, (nodeIds: readonly string[]) => OwnerOf>> = {
  rendezvous: (nodeIds) => createPlacement(nodeIds).ownerOf,
  'modulo n': createModulo,
  [`ring of ${String(VIRTUAL_NODES)}`]: createRing
}

/** Figures of one set of nodes. Loads are relative to their mean, moves are shares of all keys. */
interface Figures {
  readonly most: number
  readonly least: number
  readonly variation: number
  readonly joinMoved: number
  readonly leaveMoved: number
  readonly nanoseconds: number
}

function main(): void {
  const random = createRandom(SEED)
  const addresses = Array.from({ length: KEYS }, (): Address => ({ kind: 'session', subject: 'anonymous', id: uuid(random) }))
  print(
    `Node ${process.version}, ${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown processor'}; ${String(KEYS)} sessions, means of ${String(SETS)} sets of node ids, seed ${String(SEED)}`
  )
  print('nodes  placement     most/mean (worst set)  least/mean  variation  moved at a join (ideal)  at a leave (ideal)  ns a look-up')
  for (const population of POPULATIONS) {
    const sets = Array.from({ length: SETS }, () => Array.from({ length: population + 1 }, () => uuid(random)))
    // The placements alternate, so that other load on the machine affects all alike.
    const rounds = sets.map((nodeIds) => Object.values(PLACEMENTS).map((create) => measure(create, nodeIds, addresses)))
    for (const [at, name] of Object.keys(PLACEMENTS).entries()) {
      print(
        line(
          population,
          name,
          rounds.flatMap((round) => round[at] ?? [])
        )
      )
    }
  }
  print(`A draw of ${String(KEYS)} at random varies by ${POPULATIONS.map((count) => Math.sqrt((count - 1) / KEYS).toFixed(4)).join(', ')}.`)
}

function line(population: number, name: string, all: readonly Figures[]): string {
  const mean = (of: (figures: Figures) => number): number => all.reduce((sum, figures) => sum + of(figures), 0) / all.length
  const worst = Math.max(...all.map(({ most }) => most))
  return [
    String(population).padStart(5),
    name.padEnd(12),
    `${mean(({ most }) => most).toFixed(3)} (${worst.toFixed(3)})`.padStart(22),
    mean(({ least }) => least)
      .toFixed(3)
      .padStart(11),
    mean(({ variation }) => variation)
      .toFixed(4)
      .padStart(10),
    `${mean(({ joinMoved }) => joinMoved).toFixed(4)} (${(1 / (population + 1)).toFixed(4)})`.padStart(24),
    `${mean(({ leaveMoved }) => leaveMoved).toFixed(4)} (${(1 / population).toFixed(4)})`.padStart(19),
    mean(({ nanoseconds }) => nanoseconds)
      .toFixed(0)
      .padStart(13)
  ].join(' ')
}

/** The last of `nodeIds` joins, the first one leaves. */
function measure(create: (nodeIds: readonly string[]) => OwnerOf, nodeIds: readonly string[], addresses: readonly Address[]): Figures {
  const present = nodeIds.slice(0, -1)
  const before = create(present)
  ownersOf(before, addresses.slice(0, addresses.length / 10))
  const started = process.cpuUsage()
  const owners = ownersOf(before, addresses)
  const { user, system } = process.cpuUsage(started)
  const loads = new Map(present.map((nodeId) => [nodeId, 0]))
  for (const owner of owners) if (owner !== null) loads.set(owner, (loads.get(owner) ?? 0) + 1)
  const mean = addresses.length / present.length
  const spread = [...loads.values()].reduce((sum, load) => sum + (load - mean) ** 2, 0) / present.length
  return {
    most: Math.max(...loads.values()) / mean,
    least: Math.min(...loads.values()) / mean,
    variation: Math.sqrt(spread) / mean,
    joinMoved: movedShare(owners, ownersOf(create(nodeIds), addresses)),
    leaveMoved: movedShare(owners, ownersOf(create(present.slice(1)), addresses)),
    nanoseconds: ((user + system) * 1000) / addresses.length
  }
}

/** Starts from addresses, like requests do: creating the key is part of the lookup. */
function ownersOf(ownerOf: OwnerOf, addresses: readonly Address[]): (string | null)[] {
  return addresses.map((address) => ownerOf(addressKey(address)))
}

function movedShare(before: readonly (string | null)[], after: readonly (string | null)[]): number {
  return before.filter((owner, at) => owner !== after[at]).length / before.length
}

function createModulo(nodeIds: readonly string[]): OwnerOf {
  return (key) => nodeIds[(murmurHash(key, SEED) >>> 0) % nodeIds.length] ?? null
}

function createRing(nodeIds: readonly string[]): OwnerOf {
  const points = nodeIds
    .flatMap((nodeId) =>
      Array.from({ length: VIRTUAL_NODES }, (_, at) => ({ nodeId, at: murmurHash(`${nodeId}#${String(at)}`, SEED) >>> 0 }))
    )
    .sort((a, b) => a.at - b.at)
  const places = Uint32Array.from(points, ({ at }) => at)
  return (key) => {
    const wanted = murmurHash(key, SEED) >>> 0
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((places[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return points[low % points.length]?.nodeId ?? null
  }
}

/** Numerical Recipes' linear congruential generator, for the same ids in every run. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0)
}

function uuid(random: () => number): string {
  const hex = Array.from({ length: 4 }, () => random().toString(16).padStart(8, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

main()
