/**
 * `engram demo`: starts the service in this process on a free port, replays a month of conversation over HTTP, prints a row a turn and
 * a summary, and keeps serving until Ctrl-C, or ends after the summary.
 */
import { invitation } from '../../src/tools/development.js'
import { month } from '../conversation/month.js'
import { createOwnService } from './own-service.js'
import { replay, type TurnResult } from './replay.js'
import { summarise } from './summary.js'
import { closing, header, type Look, row } from './table.js'

/** Where the output is a file or a pipe and says nothing about its width. */
const COLUMNS_UNKNOWN = 140

/** Ends the process when it is done, or by Ctrl-C. */
export async function runDemo({ exit = false, isColoured }: { readonly exit?: boolean; readonly isColoured: boolean }): Promise<void> {
  const { service, tokenFor } = await createOwnService()
  const stop = async (exitCode: number): Promise<void> => {
    await service.close()
    process.exit(exitCode)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(0))

  try {
    const url = await service.listen()
    const token = await tokenFor('demo')
    await show({ url, token }, isColoured)
    if (exit) await stop(0)
    print(`\nIt goes on serving:\n\n${invitation({ url, token })}\n\nCtrl-C stops it.`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await stop(1)
  }
}

async function show(target: { url: string; token: string }, isColoured: boolean): Promise<void> {
  const look: Look = { width: process.stdout.columns || COLUMNS_UNKNOWN, isColoured }
  print(`A month of conversation (${month.length} turns) through one session of ${target.url}\n`)
  print(header(look))
  const results: TurnResult[] = []
  for await (const result of replay(target, month)) {
    results.push(result)
    print(row(result, look))
  }
  print(`\n▸ the topic changed   ↺ short circuit on a repeat   · repeat missed   ✗ false short circuit\n`)
  print(closing(summarise(results), look))
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
