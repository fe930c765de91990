/** `engram chat`: a conversation with a session, with the service's view of each turn. */
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { isEngramError } from '../../client/engram-error.js'
import { showBlock } from '../chat/memory-turn.js'
import { showAnswer } from '../chat/model-turn.js'
import { requireSessionId } from '../console/arguments.js'
import { CommandFailure, EXIT } from '../console/failure.js'
import { interruptible } from '../console/interruption.js'
import { createOutput } from '../console/output.js'
import { type Connection, type ConnectionOptions, toFailure, withConnection } from '../service/connection.js'

export interface ChatOptions extends ConnectionOptions {
  readonly upstream?: true
  readonly model: string
  readonly json?: true
}

/** Marks an answer entered between two messages. */
const ANSWER_MARK = '< '

const HELP = `Each line is a message. A line that begins with "${ANSWER_MARK}" is the answer that your model gave; it is learned with the next message.
/quit or Ctrl-D ends.`

export async function chat(given: string | undefined, options: ChatOptions): Promise<void> {
  if (given !== undefined) requireSessionId('[session]', given)
  const id = given ?? randomUUID()
  await interruptible('An answer that was cut off is not kept.', (signal) =>
    withConnection(options, (service) => talk(service, id, { ...options, signal }))
  )
}

type Talk = Pick<ChatOptions, 'upstream' | 'model' | 'json'> & { readonly signal: AbortSignal }

async function talk({ url, engram }: Connection, id: string, { upstream, model, json, signal }: Talk): Promise<void> {
  const session = engram.session(id)
  const output = createOutput()
  const isJson = json === true
  const isDialogue = process.stdin.isTTY && !isJson
  if (!isJson) output.note(`Session ${id} at ${url}`)
  if (isDialogue) output.note(upstream === true ? '/quit or Ctrl-D ends.' : HELP)
  let response: string | undefined
  for await (const line of linesOf(isDialogue, signal)) {
    const text = line.trim()
    if (text === '/quit' || signal.aborted) break
    if (text === '') continue
    if (text.startsWith(ANSWER_MARK) && upstream !== true) {
      response = text.slice(ANSWER_MARK.length)
      continue
    }
    const turn = { session, text, isJson, signal }
    try {
      if (upstream === true) await showAnswer(turn, { engram, name: model }, output)
      else await showBlock(turn, { response, output })
      response = undefined
    } catch (error) {
      const failure = isEngramError(error) ? toFailure(error, url) : error
      // A person can rephrase the message; a script has to fail.
      const isRefused = failure instanceof CommandFailure && failure.exitCode === EXIT.failed
      if (!isDialogue || !isRefused) throw failure
      output.note(output.paint('red', failure.message))
    }
  }
  // An answer after the last message would otherwise be lost.
  if (response !== undefined) await session.store({ response })
  signal.throwIfAborted()
}

/** Reads lines, with a prompt on a terminal. Ctrl-C and Ctrl-D end the input. */
async function* linesOf(isDialogue: boolean, signal: AbortSignal): AsyncGenerator<string> {
  const lines = createInterface({ input: process.stdin, signal, ...(isDialogue && { output: process.stderr, prompt: '› ' }) })
  // In line editing mode a terminal delivers Ctrl-C as a key instead of a signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    if (isDialogue) lines.prompt()
    for await (const line of lines) {
      yield line
      if (isDialogue) lines.prompt()
    }
  } finally {
    lines.close()
  }
}
