/** Program of the thread that holds the SQLite database. Its messages are typed in `sqlite-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseError } from './database-error.js'
import type { RowPage } from './operations.js'
import { createRecordStore } from './record-store.js'
import { openSqlite } from './sqlite-database.js'
import type { StoreCall, StoreReply, StoreTask } from './sqlite-thread.js'

const { path, fileBytesMax, plan } = workerData as StoreTask

// A file that cannot be opened ends the thread: the error is uncaught on purpose.
const store = createRecordStore(openSqlite(path, fileBytesMax), plan)

/** One call at a time: there is one connection, and a read between the statements of a transaction would see them. */
let last: Promise<void> = Promise.resolve()

parentPort?.on('message', (call: StoreCall) => {
  last = last.then(() => answer(call))
})

async function answer(call: StoreCall): Promise<void> {
  const reply = await outcomeOf(call)
  if (call.name === 'rows' && reply.isOk) handOver(reply.id, reply.value as RowPage)
  else parentPort?.postMessage(reply)
  // Nothing else keeps the thread alive.
  if (call.name === 'close') parentPort?.close()
}

async function outcomeOf({ id, name, query }: StoreCall): Promise<StoreReply> {
  try {
    const method = store[name] as (query: unknown) => Promise<unknown>
    return { id, isOk: true, value: await method(query) }
  } catch (error) {
    if (error instanceof DatabaseError) return { id, isOk: false, code: error.code, isRefusal: error.isRefusal }
    return { id, isOk: false, message: error instanceof Error ? error.message : 'The storage failed' }
  }
}

/**
 * All bodies of a page in one buffer, which becomes the other thread's: while V8 marks what is alive there, each buffer that arrives may
 * cost it 5 to 20 ms.
 */
function handOver(id: number, { rows, isLast }: RowPage): void {
  const whole = new Uint8Array(rows.reduce((sum, { body }) => sum + body.byteLength, 0))
  let end = 0
  const joined = rows.map((row) => {
    const start = end
    whole.set(row.body, start)
    end += row.body.byteLength
    return { ...row, body: whole.subarray(start, end) }
  })
  parentPort?.postMessage({ id, isOk: true, value: { rows: joined, isLast } satisfies RowPage } satisfies StoreReply, [whole.buffer])
}
