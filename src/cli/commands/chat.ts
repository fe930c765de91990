/** `engram chat`: a conversation with a session, and what the service makes of each turn. */
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { EXIT } from '../console/failure.js'
import { createOutput, type Output } from '../console/output.js'
import { plainLines } from '../console/plain-text.js'
import { type Connection, type ConnectionOptions, openConnection, ServiceRefusal } from '../service/connection.js'

export interface ChatOptions extends ConnectionOptions {
  readonly upstream?: true
  readonly model: string
  readonly json?: true
}

interface Run {
  readonly context: string
  readonly top_similarity: number
  readonly short_circuit: boolean
  readonly drift_score: number
  readonly drift_detected: boolean
  readonly drift_phase: 'stable' | 'shifting' | 'drifted'
  readonly turn: number
}

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string | null } }[]
}

/** Milliseconds that chat clients wait for a model. */
const MODEL_ANSWER_MS_MAX = 600_000

/** Answers that may be written down between two messages. */
const ANSWER_MARK = '< '

const HELP = `Each line is a message. A line that begins with "${ANSWER_MARK}" is the answer that your model gave; it is learned with the next message.
/quit or Ctrl-D ends.`

export async function chat(given: string | undefined, { upstream, model, json, ...options }: ChatOptions): Promise<void> {
  const service = await openConnection(options)
  const session = given ?? randomUUID()
  const output = createOutput()
  const isDialogue = process.stdin.isTTY && json !== true
  if (json !== true) output.note(`Session ${session} at ${service.url}`)
  if (isDialogue) output.note(upstream === true ? '/quit or Ctrl-D ends.' : HELP)
  let response: string | undefined
  for await (const line of linesOf(isDialogue)) {
    const text = line.trim()
    if (text === '/quit') break
    if (text === '') continue
    if (text.startsWith(ANSWER_MARK) && upstream !== true) {
      response = text.slice(ANSWER_MARK.length)
      continue
    }
    const turn = { session, text, isJson: json === true }
    try {
      if (upstream === true) await showAnswer(service, { ...turn, model }, output)
      else await showTurn(service, { ...turn, response }, output)
      response = undefined
    } catch (error) {
      // A person can say it otherwise; a script has to know.
      if (!isDialogue || !(error instanceof ServiceRefusal) || error.exitCode !== EXIT.failed) throw error
      output.note(output.paint('red', error.message))
    }
  }
  // An answer after the last message would be lost.
  if (response !== undefined) await service.ask({ method: 'POST', path: '/v1/store', json: { session_id: session, response } })
}

/** With a prompt on a terminal. Ctrl-C and Ctrl-D end it. */
async function* linesOf(isDialogue: boolean): AsyncGenerator<string> {
  const lines = createInterface({ input: process.stdin, ...(isDialogue && { output: process.stderr, prompt: '› ' }) })
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

interface Turn {
  readonly session: string
  readonly text: string
  readonly isJson: boolean
}

async function showTurn(
  service: Connection,
  { session, text, response, isJson }: Turn & { readonly response: string | undefined },
  output: Output
): Promise<void> {
  const run = await service.ask<Run>({
    method: 'POST',
    path: '/v1/run',
    json: { session_id: session, message: text, ...(response !== undefined && { response }) }
  })
  if (isJson) {
    output.json(run)
    return
  }
  output.line(`${state(run, output)}\n${plainLines(run.context)}`)
}

/** Phase and score, and the short circuit where there is one. */
function state(run: Run, { paint }: Output): string {
  const colour = run.drift_phase === 'stable' ? 'green' : run.drift_phase === 'shifting' ? 'yellow' : 'red'
  const drift = `drift ${run.drift_score.toFixed(2)} ${paint(colour, run.drift_phase)}${run.drift_detected ? ' (detected)' : ''}`
  const repeat = run.short_circuit ? `  ${paint('bold', 'short circuit')}: this was answered before` : ''
  return `turn ${String(run.turn)}  ${drift}  similarity ${run.top_similarity.toFixed(2)}${repeat}`
}

async function showAnswer(
  service: Connection,
  { session, model, text, isJson }: Turn & { readonly model: string },
  output: Output
): Promise<void> {
  const answer = await service.ask<Completion>({
    method: 'POST',
    path: '/compat/v1/chat/completions',
    json: { model, messages: [{ role: 'user', content: text }] },
    headers: { 'x-session-id': session },
    answerMs: MODEL_ANSWER_MS_MAX
  })
  if (isJson) output.json(answer)
  else output.line(plainLines(answer.choices[0]?.message.content ?? ''))
}
