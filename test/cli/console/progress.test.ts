import t from 'tap'
import { startProgress } from '../../../src/cli/console/progress.js'

/** Returns what is drawn at half the progress on a terminal of `columns` characters, without cursor control. */
function drawnOn(columns: number | undefined, label = 'Sessions'): string {
  const written: string[] = []
  const stream = { isTTY: true, write: (text: string) => written.push(text), ...(columns !== undefined && { columns }) }
  startProgress({ label, total: 200, stream }).update(100)
  return written.join('').replace('\r', '').replace('\u001b[K', '')
}

t.test('progress: a bar on a terminal, as wide as it may be', async (t) => {
  for (const columns of [undefined, 80, 200]) t.equal(drawnOn(columns), `Sessions  ${'█'.repeat(12)}${'░'.repeat(12)}   50%  100 of 200`)
})

t.test('progress: on a narrow terminal a shorter bar, or none, and never more than a line', async (t) => {
  t.equal(drawnOn(40), `Sessions  ${'█'.repeat(6)}${'░'.repeat(5)}   50%  100 of 200`)
  t.equal(drawnOn(29), 'Sessions   50%  100 of 200')
  t.equal(drawnOn(16), 'Sessions   50% ')
  for (let columns = 1; columns < 60; columns++)
    t.ok(drawnOn(columns, 'A label that is long').length < columns, `${String(columns)} columns`)
})

t.test('progress: elsewhere a line at each quarter', async (t) => {
  const written: string[] = []
  const progress = startProgress({ label: 'Sessions', total: 4, stream: { write: (text: string) => written.push(text) } })
  for (const done of [1, 2, 2, 3, 4]) progress.update(done)
  progress.end()
  t.strictSame(written.join(''), 'Sessions: 25%, 1 of 4\nSessions: 50%, 2 of 4\nSessions: 75%, 3 of 4\nSessions: 100%, 4 of 4\n')
})
