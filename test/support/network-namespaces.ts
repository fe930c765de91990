/**
 * A separate network for processes of a test, connected to this machine by one link on which the kernel drops chosen packets. As between
 * two machines, senders retransmit, give up, or never learn. Needs Linux and root.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import type { Way } from './tcp-proxy.js'

export interface NetworkNamespace {
  /** Address of its processes, as seen from this machine. */
  readonly address: string
  /** Address of this machine, as seen from its processes. */
  readonly hostAddress: string
  /** Prefix of a command that is to run in it. */
  readonly launcher: readonly string[]
  /** Drops all packets to that port of this machine, or from it; in both directions if none is given. */
  drop(port: number, way?: Way): void
  /** Lets all packets pass again. */
  restore(): void
  /** Idempotent. */
  remove(): void
}

/** Networks of four addresses in 10.213.0.0/16, which is private: as many as fit, so that concurrent tests hardly collide. */
const NETWORKS = 2 ** 14

let made = 0

/** Why none can be created here; null when they can. */
export function whyNoNamespaces(): string | null {
  if (process.platform !== 'linux') return 'Network namespaces need Linux'
  const name = nameOf(made++)
  const tried = [
    ['ip', 'netns', 'add', name],
    ['ip', 'netns', 'exec', name, 'iptables', '-L', '-n']
  ].find((command) => attempt(command) !== null)
  attempt(['ip', 'netns', 'del', name])
  return tried === undefined ? null : `Network namespaces need root, ip and iptables: ${tried.slice(0, 2).join(' ')} failed`
}

export function createNetworkNamespace(): NetworkNamespace {
  const name = nameOf(made)
  const base = 4 * ((process.pid * 8 + made++) % NETWORKS)
  const at = (last: number) => `10.213.${base >> 8}.${(base & 255) + last}`
  const [address, hostAddress] = [at(2), at(1)]
  const inside = `${name}i`
  const rule = (...args: string[]) => run(['ip', 'netns', 'exec', name, 'iptables', ...args])
  for (const command of [
    ['ip', 'netns', 'add', name],
    ['ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', inside, 'netns', name],
    ['ip', 'addr', 'add', `${hostAddress}/30`, 'dev', name],
    ['ip', 'link', 'set', name, 'up'],
    ['ip', '-n', name, 'addr', 'add', `${address}/30`, 'dev', inside],
    ['ip', '-n', name, 'link', 'set', inside, 'up'],
    ['ip', '-n', name, 'link', 'set', 'lo', 'up']
  ]) {
    run(command)
  }
  const remove = () => {
    attempt(['ip', 'link', 'del', name])
    attempt(['ip', 'netns', 'del', name])
    process.off('exit', remove)
  }
  // Also removed when a test ends early.
  process.once('exit', remove)
  return {
    address,
    hostAddress,
    launcher: ['ip', 'netns', 'exec', name],
    drop(port, way) {
      if (way !== 'to client') rule('-A', 'OUTPUT', '-p', 'tcp', '--dport', String(port), '-j', 'DROP')
      if (way !== 'to server') rule('-A', 'INPUT', '-p', 'tcp', '--sport', String(port), '-j', 'DROP')
    },
    restore: () => rule('-F'),
    remove
  }
}

/** Interface names have at most 15 characters. */
function nameOf(number: number): string {
  return `eg${process.pid.toString(36)}n${number.toString(36)}`
}

function run(command: readonly string[]): void {
  const problem = attempt(command)
  if (problem !== null) throw new Error(`${command.join(' ')}: ${problem}`)
}

/** Returns null on success, else the error output. */
function attempt([command = '', ...args]: readonly string[]): string | null {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? stderr)
}
