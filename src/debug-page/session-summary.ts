import { type ComponentChildren, h } from 'preact'
import { useState } from 'preact/hooks'
import { wordsOf } from './asking.js'
import type { DebugClient } from './debug-client.js'
import { problemView } from './problem-view.js'
import { useReading } from './reading.js'
import { tile } from './tile.js'

/** Key figures of a session, and its export. */
export function SessionSummary({ client, sessionId, beat }: { client: DebugClient; sessionId: string; beat: number }): ComponentChildren {
  const { value, problem } = useReading(() => client.metrics(sessionId), { name: sessionId, when: [client, beat] })
  return h(
    'div',
    { class: 'summary' },
    problemView(problem),
    value === null
      ? null
      : h(
          'dl',
          { class: 'tiles' },
          tile('Memories', value.total_memories.toLocaleString('en')),
          tile('Turns', value.interaction_count.toLocaleString('en')),
          tile('Drift', value.drift_score.toFixed(2), value.drift_phase),
          tile('Phase', value.phase),
          tile(
            'Isolation',
            value.isolation.level,
            value.isolation.quarantined_count === 0 ? '' : `${value.isolation.quarantined_count} held`
          )
        ),
    h(ExportButton, { client, sessionId })
  )
}

function ExportButton({ client, sessionId }: { client: Pick<DebugClient, 'exported'>; sessionId: string }): ComponentChildren {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const save = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      download(await client.exported(sessionId), `${sessionId}.json`)
    } catch (error) {
      setProblem(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return h(
    'div',
    { class: 'actions' },
    h('button', { type: 'button', disabled: isBusy, onClick: () => void save() }, isBusy ? 'Exporting…' : 'Export'),
    problem === null ? null : h('p', { class: 'refusal', role: 'alert' }, problem)
  )
}

/** Milliseconds after which a browser has started to write the file. */
const WRITTEN_MS = 60_000

function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), WRITTEN_MS)
}
