/** Program of the thread that runs the SQLite database. Its messages are typed in `sqlite-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseError } from './database-error.js'
import { createRecordStore } from './record-store.js'
import { blocksOf, type RowPage } from './row-page.js'
import { openSqlite } from './sqlite-database.js'
import type { StoreCall, StoreReply, StoreTask } from './sqlite-thread.js'
import { createPartCollector, type WriteCall, type WriteMessage } from './write-messages.js'

const { path, fileBytesMax, plan } = workerData as StoreTask

// A file that cannot be opened ends the thread: the error is uncaught on purpose.
const store = createRecordStore(openSqlite(path, fileBytesMax), plan)

/** One call at a time: there is one connection, and a read would see the uncommitted changes of a transaction. */
let last: Promise<void> = Promise.resolve()

const parts = createPartCollector()

parentPort?.on('message', (message: StoreCall | WriteMessage) => {
  if ('part' in message) parts.add(message)
  else {
    const call = isWrite(message) ? { ...message, query: parts.complete(message) } : message
    last = last.then(() => answer(call))
  }
})

function isWrite(call: StoreCall | WriteCall): call is WriteCall {
  return call.name === 'write'
}

async function answer(call: StoreCall): Promise<void> {
  const outcome = await outcomeOf(call)
  const blocks = outcome.isOk && call.name === 'rows' ? blocksOf(outcome.value as RowPage) : []
  parentPort?.postMessage(outcome, blocks)
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
