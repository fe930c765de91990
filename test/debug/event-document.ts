/** Generates docs/debug-events.md from the register of debug events. */
import { DEBUG_EVENTS } from '../../src/domain/debug-events.js'

const START = `# Debug events

The events that the live debugger shows of a running service. \`GET /v1/debug/stream\` sends them as they happen, \`GET /v1/debug/recent\`
returns the recent ones. Events are emitted with \`SERVICE_DEBUG_TRACE=1\`, and the routes exist with \`SERVICE_DEBUG_UI=1\`.

**Fields.** Every event has these fields, and those listed below for its kind:

- \`seq\`: its number, from 1. It counts only the events that the subject may see, so it reveals nothing about others.
- \`timestamp\`: its time, in epoch seconds.
- \`kind\`: its kind.
- \`session_id\`: the session that it is about, if any.

**Visibility.** A subject sees its own events and those that nobody owns, which have scalars only. No event holds a memory's text, a vector
or a token; memories are named by their hash.

**The ring.** Events are kept in a ring buffer per subject. There are rings for the 64 subjects used last. If more subjects are followed,
the one unused for longest keeps no events, and its reader gets \`gap\`. An erasure with the compliance pack empties the ring of its
subject on all nodes, and readers get \`gap\` as well. A deletion of a memory or a
session does not: its hash and its id stay until newer events push them out.

**Gaps.** A reader of the stream gets \`gap\` if it is slower than the ring, or asks for events that have left it. A \`gap\` says that
\`missed\` events, from \`from_seq\` to \`to_seq\`, are not shown. There is no gap beyond the last event.

**Resuming.** Give the number of the last event seen, as \`since\` in the query or in the header \`Last-Event-ID\`.

This page is generated from src/domain/debug-events.ts.
`

/** The whole page. */
export function eventDocument(): string {
  const sections = Object.entries(DEBUG_EVENTS).map(([kind, { meaning, fields }]) => {
    const rows = Object.entries(fields).map(([name, about]) => `| \`${toSnakeCase(name)}\` | ${inSnakeCase(about)} |`)
    const table = rows.length === 0 ? [] : ['', '| Field | Meaning |', '|---|---|', ...rows]
    return [`## ${kind}`, '', meaning, ...table, ''].join('\n')
  })
  return `${START}\n${sections.join('\n')}`
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Puts the field names in the text, which stand between backticks, into snake case. */
function inSnakeCase(text: string): string {
  return text.replace(/`[^`]+`/g, toSnakeCase)
}
