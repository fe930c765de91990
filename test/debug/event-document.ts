/** Generates docs/debug-events.md from the register of debug events. */
import { DEBUG_EVENTS } from '../../src/domain/debug-events.js'

const START = `# Debug events

What the live debugger tells of a running service: on \`GET /v1/debug/stream\` as it happens, from \`GET /v1/debug/recent\` afterwards.
Events are emitted with \`SERVICE_DEBUG_TRACE=1\`, and the routes are there with \`SERVICE_DEBUG_UI=1\`.

Every event has \`seq\` (from 1, one more for each event that the subject may see, so that it says nothing of what others do),
\`timestamp\` (epoch seconds), \`kind\`, and \`session_id\` when it is about a session. A subject sees the events of its own and those
that nobody owns; the latter have scalars only. No event has a memory's text, a vector or a token: memories are named by their hash.
Each subject has a ring of its own, of the 64 used last; of more that are followed, the one longest unused keeps nothing, and its reader gets
\`gap\`. An erasure with the compliance pack empties the ring of its own subject, on all nodes, and is a \`gap\` to readers as well.

On the stream a reader that is slower than the ring, or asks for events that have left it, gets \`gap\`: \`missed\` events are not
shown, between \`from_seq\` and \`to_seq\`. Beyond the last event there is none. Where to go on: \`since\` in the query, or the header \`Last-Event-ID\`, is the number of the last event seen.

This page is made of src/domain/debug-events.ts.
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
