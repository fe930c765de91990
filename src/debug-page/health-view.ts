import { type ComponentChildren, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { counted } from './counted.js'
import type { DebugClient, Health } from './debug-client.js'
import type { GraphNode } from './topology.js'
import { problemView } from './problem-view.js'
import { useReading } from './reading.js'

/** Milliseconds between two checks; each one probes every dependency of the service. */
const LOOK_MS = 15_000

/** Health of the service: its dependencies, its nodes, and how fast it answers. */
export function HealthView({ client, nodes }: { client: Pick<DebugClient, 'health'>; nodes: readonly GraphNode[] }): ComponentChildren {
  const [look, setLook] = useState(0)
  useEffect(() => {
    const looking = setInterval(() => setLook((times) => times + 1), LOOK_MS)
    return () => clearInterval(looking)
  }, [client])
  const { value, problem } = useReading(() => client.health(), { name: 'health', when: [client, look] })
  return h(
    'section',
    { class: 'card health', 'aria-labelledby': 'health-title' },
    h('h2', { id: 'health-title' }, 'Health'),
    problemView(problem),
    value === null && problem === null ? h('p', { class: 'hint' }, 'Asking the service…') : null,
    // After a failed call the last known health is hidden: it says nothing about the present.
    value === null || problem !== null ? null : h('ul', { class: 'lamps', 'aria-label': 'Checks' }, lampsOf(value, nodes).map(lampView))
  )
}

type Mood = 'good' | 'warn' | 'bad' | 'off'

interface Lamp {
  readonly name: string
  readonly said: string
  readonly mood: Mood
}

/** States of a node that temporarily takes no part in the work. */
const TRANSIENT: readonly string[] = ['joining', 'draining', 'restarting', 'unfit']

function lampsOf({ ready, checks, embedderModel, activeSessions, version, answeredMs }: Health, parts: readonly GraphNode[]): Lamp[] {
  const members = parts.filter(({ kind }) => kind === 'node')
  return [
    { name: 'service', said: ready ? `ready, version ${version}` : 'not ready', mood: ready ? 'good' : 'bad' },
    ...Object.entries(checks).map(([name, said]): Lamp => {
      const shown = name === 'embedder' && said === 'ok' ? embedderModel : said.replaceAll('_', ' ')
      return { name, said: shown, mood: said === 'ok' ? 'good' : said === 'not_configured' ? 'off' : 'bad' }
    }),
    ...members.map(({ label, state }): Lamp => ({
      name: `node ${label}`,
      said: state,
      mood: state === 'up' ? 'good' : TRANSIENT.includes(state) ? 'warn' : 'bad'
    })),
    { name: 'answer', said: `${Math.max(1, Math.round(answeredMs))} ms`, mood: answeredMs < SLOW_MS ? 'good' : 'warn' },
    // Counts the sessions of all licences; the overview counts those of the current licence.
    { name: 'this node', said: counted(activeSessions, 'session'), mood: 'off' }
  ]
}

/** Milliseconds above which an answer feels slow. */
const SLOW_MS = 500

function lampView({ name, said, mood }: Lamp): ComponentChildren {
  return h(
    'li',
    { key: name, class: `mood-${mood}` },
    h('span', { class: 'bulb', 'aria-hidden': true }),
    h('b', null, name),
    h('span', null, said)
  )
}
