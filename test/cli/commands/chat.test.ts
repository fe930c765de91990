import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { beginStream, chunk, DONE, event, type Script, startUpstream, streamed } from '../../support/chat-upstream.js'
import { type CommandOptions, engram } from '../../support/command-line.js'
import { startListening } from '../../support/command-line-service.js'

t.test('chat: shows block, drift and short circuit, and learns the answers that are written down', async (t) => {
  const { env } = await startListening(t)
  const input =
    'How do I enable 2FA for my mail account?\n< Settings, Security, Two-step verification.\nHow can I enable 2FA for my mail account?\n/quit\nnever sent\n'
  const { code, stdout } = await engram(['chat', 'anna'], { env, input })
  t.equal(code, 0)
  t.match(stdout, /turn 1 {2}drift \d\.\d\d (stable|shifting|drifted)/)
  t.match(stdout, /short circuit: this was answered before\n[^]*Two-step verification/)
  t.notMatch(stdout, 'never sent')
  const json = await engram(['chat', 'anna', '--json'], { env, input: 'And what else?\n< Nothing.\n' })
  t.match(JSON.parse(json.stdout), { session_id: 'anna', drift_phase: /./, context: /./ })
  t.match(await engram(['search', 'anna', 'Nothing'], { env }), { stdout: /assistant: Nothing\./ }, 'the last answer is kept')
})

/** Starts the service in front of a model service played by `script`, with a way to chat. */
async function startModel(t: Test, script: Script) {
  const upstream = await startUpstream(t, script)
  const { env } = await startListening(t, { SERVICE_UPSTREAM_URL: upstream.url, SERVICE_UPSTREAM_API_KEY: 'key' })
  const chat = (input: string, options: Partial<CommandOptions> = {}, args: readonly string[] = []) =>
    engram(['chat', 'anna', '--upstream', '--model', 'tiny', ...args], { env, input, ...options })
  return { upstream, chat }
}

t.test('chat with a model: what it says is shown while it is said, with what the session remembers', async (t) => {
  const held: ServerResponse[] = []
  const { upstream, chat } = await startModel(t, ({ response }) => {
    beginStream(response).write(chunk('To '))
    held.push(response)
  })
  const result = await chat('We fly to Lisbon in May.\nWhere do we fly in May?\n', {
    // The model continues once its first word has been seen.
    watch: (_child, _stderr, stdout) => stdout.endsWith('To ') && held.shift()?.end(streamed(['Lisbon.']))
  })
  t.match(result, { code: 0, stdout: 'To Lisbon.\nTo Lisbon.\n' })
  t.match(result.stderr, /^Session anna at .*\n\[\d\.\d\d\] user: We fly to Lisbon in May\.\n/, 'a first message finds nothing')
  t.match(upstream.body(2), { model: 'tiny', stream: true })
  t.match(JSON.stringify(upstream.body(2).messages), 'We fly to Lisbon in May.')
})

t.test('chat with a model: a turn that drifts is noted, and JSON has a line a turn', async (t) => {
  const { chat } = await startModel(t, ({ response }) => beginStream(response).end(streamed(['Well', ' then.'])))
  const flights = [
    'We fly to Lisbon in May.',
    'When does the flight to Lisbon leave in May?',
    'Which seat do we have on the flight to Lisbon?'
  ]
  const drifting = 'My sourdough starter smells of acetone.'
  t.match(await chat([...flights, drifting].join('\n')), { code: 0, stderr: /drift \d\.\d\d \w+ \(detected\)\n$/ })
  const { stdout } = await chat(`${drifting}\nHow do I feed my sourdough starter?\n`, {}, ['--json'])
  const turns = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  t.match(turns, [
    { session_id: 'anna', answer: 'Well then.', memories: [{ text: drifting, score: Number }], drift_score: Number, drift_phase: String },
    { answer: 'Well then.', drift_detected: Boolean }
  ])
})

t.test('chat with a model: Ctrl-C ends the answer and the command', async (t) => {
  const { upstream, chat } = await startModel(t, ({ response }) => void beginStream(response).write(chunk('To ')))
  const result = await chat('Where do we fly in May?\nnever sent\n', {
    watch: (child, _stderr, stdout) => stdout === 'To ' && !child.killed && child.kill('SIGINT')
  })
  t.match(result, { code: 130, stdout: 'To \n', stderr: /Interrupted\. An answer that was cut off is not kept\.\n$/ })
  await upstream.calls[0]?.closed
  t.equal(upstream.calls.length, 1)
})

t.test('chat with a model: one that does not stream, one that breaks off, one that is not there', async (t) => {
  const whole = { choices: [{ message: { role: 'assistant', content: 'To Lisbon.' } }] }
  const { chat } = await startModel(t, ({ response }, nth) => {
    if (nth === 1) response.setHeader('content-type', 'application/json').end(JSON.stringify(whole))
    else if (nth === 3) beginStream(response).write(chunk('To '), () => response.destroy())
    else if (nth === 4) beginStream(response).end(chunk('To '))
    else beginStream(response).end(chunk('To ') + event({ error: { message: 'Out of memory' } }) + DONE)
  })
  t.match(await chat('Where do we fly?\n'), { code: 0, stdout: 'To Lisbon.\n' })
  t.match(await chat('Where do we fly?\n'), { code: 1, stdout: 'To \n', stderr: /The answer broke off \(Out of memory\)\.\n$/ })
  for (const problem of ['its connection is cut', 'it only ends'])
    t.match(await chat('Where do we fly?\n'), { code: 1, stdout: 'To \n', stderr: /The answer broke off[^\n]*\.\n$/ }, problem)
  const { env } = await startListening(t)
  t.match(await engram(['chat', '--upstream'], { env, input: 'Hello\n' }), { code: 1, stderr: /SERVICE_UPSTREAM_URL is not set\n$/ })
})
