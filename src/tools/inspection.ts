/**
 * Stately's inspector for a service under development. Its own server listens on all interfaces and tells everything to every client. So
 * events are served from here instead: on loopback only, and only to pages of this address.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import type { InspectActors } from '../../actors/node.js'

/**
 * Event as it is sent: which actor is in which state, and which command came. No fields of commands, contexts, outputs or names of
 * resources.
 */
export interface RedactedEvent {
  readonly type: StatelyInspectionEvent['type']
  readonly id: string
  readonly rootId: string | undefined
  readonly sessionId: string
  readonly createdAt: string
  readonly _version: string
  readonly name?: string
  readonly parentId?: string | undefined
  readonly definition?: string | undefined
  readonly sourceId?: string | undefined
  readonly event?: { readonly type: string }
  readonly snapshot?: { readonly status: unknown; readonly value: unknown; readonly context: object }
}

interface Inspection {
  readonly url: string
  readonly inspect: InspectActors
  close(): void
}

/** Commands and transitions kept for a page that opens later, in addition to the actors themselves. */
const EVENTS_KEPT = 1_000

/** Maximum bytes that may wait for a slow page. Above it the page is disconnected, and reconnects by itself. */
const PENDING_BYTES_MAX = 64 * 1024 * 1024

/** Listens on a free port of loopback. */
export async function openInspection(): Promise<Inspection> {
  const readers = new Set<ServerResponse>()
  const story = createInspectionStory()
  const inspect = createRedactedInspect((event) => {
    story.tell(event)
    for (const reader of readers) {
      reader.write(toFrame(event))
      if (reader.writableLength > PENDING_BYTES_MAX) reader.destroy()
    }
  })
  const server = createServer((request, response) => {
    if (!isOwn(request, server)) return void response.writeHead(403).end()
    if (request.url !== '/events') return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(story.whole().map(toFrame).join(''))
    readers.add(response)
    response.on('close', () => readers.delete(response))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${portOf(server)}/`, inspect, close }
}

/** State that a page needs when it connects. */
interface InspectionStory {
  tell(event: RedactedEvent): void
  /** Returns the current state of every living actor, parents first, then their latest commands and transitions. */
  whole(): RedactedEvent[]
}

/** Registrations and latest snapshots are kept as long as an actor lives, regardless of later events. */
export function createInspectionStory(keptMax = EVENTS_KEPT): InspectionStory {
  /** Registrations with the current snapshot, by session id, in the order of creation. */
  const living = new Map<string, RedactedEvent>()
  const last: RedactedEvent[] = []
  /** Shared by all actors of a machine. */
  const definitions = new Map<string, string>()

  function register(event: RedactedEvent): void {
    const { definition } = event
    if (definition !== undefined && !definitions.has(definition)) definitions.set(definition, definition)
    living.set(event.sessionId, definition === undefined ? event : { ...event, definition: definitions.get(definition) })
  }
  function follow({ sessionId, snapshot }: RedactedEvent): void {
    const actor = living.get(sessionId)
    if (actor === undefined || snapshot === undefined) return
    if (snapshot.status === 'active') living.set(sessionId, { ...actor, snapshot })
    else living.delete(sessionId)
  }
  return {
    tell(event) {
      if (event.type === '@xstate.actor') {
        register(event)
        return
      }
      follow(event)
      last.push(event)
      if (last.length > keptMax) last.shift()
    },
    whole: () => [...living.values(), ...last.filter(({ sessionId }) => living.has(sessionId))]
  }
}

function toFrame(event: RedactedEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

/** Passes on what XState tells inspectors, redacted before it is sent anywhere. */
export function createRedactedInspect(send: (event: RedactedEvent) => void): InspectActors {
  const inspector = createInspector({ send: (event) => send(redact(event)) })
  return (event) => inspector.inspect.next?.(event)
}

function redact(told: StatelyInspectionEvent): RedactedEvent {
  const { id, rootId, sessionId, createdAt, _version } = told
  const common = { type: told.type, id, rootId, sessionId, createdAt, _version }
  if (told.type === '@xstate.event') return { ...common, sourceId: told.sourceId, event: { type: toPlainType(told.event.type) } }
  if (told.type === '@xstate.snapshot')
    return { ...common, event: { type: toPlainType(told.event.type) }, snapshot: toPlainSnapshot(told.snapshot) }
  const { definition, parentId } = told
  const machine = machineOf(definition)
  // A supervisor is named after the kind of its actors; names of others may contain users' data.
  const kind = machine === 'supervisor' ? `${machine} of ${told.name}` : machine
  return { ...common, name: `${kind} ${sessionId}`, parentId, definition, snapshot: toPlainSnapshot(told.snapshot) }
}

/**
 * Reports of child actors contain the child's name, which may be that of a resource. Those of invoked effects have names of the machine.
 */
function toPlainType(type: string): string {
  const report = /^(xstate\.(?:done|error)\.actor)\.(.*)$/.exec(type)
  return report === null || /^\d+\.[a-zA-Z.]+$/.test(report[2] ?? '') ? type : String(report[1])
}

function toPlainSnapshot(snapshot: object): NonNullable<RedactedEvent['snapshot']> {
  return {
    status: 'status' in snapshot ? snapshot.status : undefined,
    value: 'value' in snapshot ? snapshot.value : undefined,
    context: {}
  }
}

function machineOf(definition: string | undefined): string {
  const parsed: unknown = definition === undefined ? null : JSON.parse(definition)
  return typeof parsed === 'object' && parsed !== null && 'id' in parsed && typeof parsed.id === 'string' ? parsed.id : 'effect'
}

/** False for pages of other addresses, including those whose host name was made to resolve to this machine. */
function isOwn({ headers }: IncomingMessage, server: Server): boolean {
  return headers.host === `127.0.0.1:${portOf(server)}`
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Engram: inspector</title>
<style>html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0 }</style>
<iframe title="Inspector" src="https://stately.ai/inspect"></iframe>
<script>
  const view = document.querySelector('iframe').contentWindow
  addEventListener('message', ({ source, data }) => {
    if (source !== view || data?.type !== '@statelyai.connected') return
    new EventSource('/events').onmessage = (event) => view.postMessage(JSON.parse(event.data), 'https://stately.ai')
  })
</script></html>`
