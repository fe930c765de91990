/**
 * Membership of this node among the others: joining, member (up, or unfit while its storage does not answer), draining, left; isolated
 * while it is cut off, after which it joins again under a new incarnation. Pure decisions; the IO is in actors/placement/membership.ts.
 */
import { setup } from 'xstate'
import type { NodeState } from '../src/domain/nodes/membership.js'

/** Milliseconds between two heartbeats. Two may be lost within the 1.5 s after which a node is suspected. */
export const HEARTBEAT_MS = 500

/**
 * Milliseconds that a joining node listens before it accepts work: every node answers its first heartbeat at once, and sends one of its own
 * within that time anyway.
 */
const LISTENING_MS = 600

export type MembershipCommand =
  | { readonly type: 'storage.lost' }
  | { readonly type: 'storage.found' }
  /** Its own heartbeats have not come back for too long, or the process stood still. */
  | { readonly type: 'network.lost' }
  /** Its own heartbeat came back. */
  | { readonly type: 'network.found' }
  /** Another process runs under the same name, and this one has to yield. */
  | { readonly type: 'node.supersede' }
  | { readonly type: 'node.drain' }
  | { readonly type: 'node.leave' }

const announce = <State extends NodeState>(state: State) => ({ type: 'announce', params: { state } }) as const

/** The machine without its effects: `provide` adds them. */
export const membershipMachine = setup({
  types: { events: {} as MembershipCommand },
  actions: {
    /** Publishes this node's state to the others. */
    announce: (_, _params: { readonly state: NodeState }) => {},
    /** Takes a new incarnation, and drops all known members. */
    renew: () => {},
    /** Ends every actor, unsaved: another node may own it by now. */
    fence: () => {},
    /** Checks for a standstill, silent nodes and the storage; publishes a heartbeat. */
    beat: () => {},
    reportSuperseded: () => {}
  },
  delays: { heartbeatInterval: HEARTBEAT_MS, listeningTime: LISTENING_MS }
}).createMachine({
  id: 'membership',
  initial: 'present',
  states: {
    present: {
      type: 'parallel',
      on: { 'node.leave': 'left' },
      states: {
        beating: {
          initial: 'resting',
          states: { resting: { after: { heartbeatInterval: { target: 'resting', reenter: true, actions: 'beat' } } } }
        },
        belonging: {
          initial: 'joining',
          on: { 'node.supersede': { target: '.superseded', actions: 'reportSuperseded' } },
          states: {
            joining: {
              entry: ['renew', announce('joining')],
              on: { 'network.lost': 'isolated', 'node.drain': 'draining' },
              after: { listeningTime: 'member' }
            },
            member: {
              initial: 'up',
              on: { 'network.lost': 'isolated', 'node.drain': 'draining' },
              states: {
                up: { entry: announce('up'), on: { 'storage.lost': 'unfit' } },
                unfit: { entry: announce('unfit'), on: { 'storage.found': 'up' } }
              }
            },
            isolated: {
              entry: ['fence', announce('isolated')],
              on: { 'network.found': 'joining', 'node.drain': 'draining' }
            },
            // Not isolated when it is cut off or stands still: storage fences its remaining work if another node has taken it over.
            draining: { entry: announce('draining') },
            superseded: { entry: ['fence', announce('superseded')] }
          }
        }
      }
    },
    left: { type: 'final', entry: announce('left') }
  }
})
