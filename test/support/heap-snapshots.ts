/** Loaded into a process under test: when it gets SIGUSR2, it writes a snapshot of its heap to `SNAPSHOT_FILE`, and says so. */
import process from 'node:process'
import { writeHeapSnapshot } from 'node:v8'

process.on('SIGUSR2', () => {
  writeHeapSnapshot(process.env['SNAPSHOT_FILE'])
  process.stdout.write(`${JSON.stringify({ msg: 'snapshot' })}\n`)
})
