/**
 * How this node belongs to the others: joining, a member (up, or unfit while its storage does not answer), draining, left; isolated
 * while it is cut off from them, and then a newcomer under a new incarnation. Pure decisions; the IO is in actors/placement/membership.ts.
 */
import { setup } from 'xstate'
import type { NodeState } from '../src/domain/membership.js'

/** Milliseconds between two heartbeats: of the 1.5 s after which a node is suspected, two may be lost. */
export const HEARTBEAT_MS = 500

/**
 * Milliseconds that a newcomer listens before it takes anything on: every node answers its first heartbeat at once, and beats once in it
 * anyhow.
 */
const LISTENING_MS = 600

export type MembershipCommand =
  | { readonly type: 'storage.lost' }
  | { readonly type: 'storage.found' }
  /** Nothing of its own came back for too long, or the process itself stood still. */
  | { readonly type: 'network.lost' }
  /** Its own heartbeat came back. */
  | { readonly type: 'network.found' }
  /** Another process runs under the same name, and came later. */
  | { readonly type: 'node.supersede' }
  | { readonly type: 'node.drain' }
  | { readonly type: 'node.leave' }

const announce = <State extends NodeState>(state: State) => ({ type: 'announce', params: { state } }) as const

/** The machine without its effects: `provide` gives them. */
export const membershipMachine = setup({
  types: { events: {} as MembershipCommand },
  actions: {
    /** Says to the others what this node is now. */
    announce: (_, _params: { readonly state: NodeState }) => {},
    /** Takes a new incarnation, and forgets whom it knew. */
    renew: () => {},
    /** Drops every actor with what is not written, for another node may own it by now. */
    fence: () => {},
    /** Looks at the time, at who is silent, and at the storage; says that it lives. */
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
            // It is cut off or stalled again while it drains: what it still has to do is fenced by the storage, if anybody took it over.
            draining: { entry: announce('draining') },
            superseded: { entry: ['fence', announce('superseded')] }
          }
        }
      }
    },
    left: { type: 'final', entry: announce('left') }
  }
})
