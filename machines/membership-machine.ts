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
  /** Another process of the same name began to join. */
  | { readonly type: 'namesake.joined' }
  /** Another process of the same name keeps running, and this one is the one to yield. */
  | { readonly type: 'namesake.stayed' }
  | { readonly type: 'node.drain' }
  | { readonly type: 'node.leave' }

const YIELDS = { target: '#superseded', actions: 'reportSuperseded' } as const

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
    /** What was asked of other nodes is waited for no longer. */
    giveUpOthers: () => {},
    reportIsolated: () => {},
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
          states: {
            joining: {
              entry: ['renew', announce('joining')],
              on: { 'network.lost': 'isolated', 'node.drain': 'draining' },
              after: { listeningTime: 'member' }
            },
            member: {
              initial: 'up',
              on: { 'network.lost': 'isolated', 'node.drain': 'draining', 'namesake.joined': YIELDS, 'namesake.stayed': YIELDS },
              states: {
                up: { entry: announce('up'), on: { 'storage.lost': 'unfit' } },
                unfit: { entry: announce('unfit'), on: { 'storage.found': 'up' } }
              }
            },
            isolated: {
              entry: ['reportIsolated', 'fence', announce('isolated')],
              on: { 'network.found': 'joining', 'node.drain': 'draining', 'namesake.joined': YIELDS }
            },
            // Not isolated when it is cut off or stands still: storage fences its remaining work if another node has taken it over.
            draining: {
              entry: announce('draining'),
              on: { 'network.lost': { actions: 'giveUpOthers' }, 'namesake.joined': YIELDS }
            },
            superseded: { id: 'superseded', entry: ['fence', announce('superseded')] }
          }
        }
      }
    },
    left: { type: 'final', entry: announce('left') }
  }
})
