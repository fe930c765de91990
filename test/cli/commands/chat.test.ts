import t from 'tap'
import { startUpstream } from '../../support/chat-upstream.js'
import { engram } from '../../support/command-line.js'
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

t.test('chat with a model: the proxy answers with what the session remembers', async (t) => {
  const upstream = await startUpstream(t, ({ response }) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'To Lisbon.' } }] }))
  )
  const { env } = await startListening(t, { SERVICE_UPSTREAM_URL: upstream.url, SERVICE_UPSTREAM_API_KEY: 'key' })
  const input = 'We fly to Lisbon in May.\nWhere do we fly in May?\n'
  t.match(await engram(['chat', 'anna', '--upstream', '--model', 'tiny'], { env, input }), { code: 0, stdout: 'To Lisbon.\nTo Lisbon.\n' })
  t.match(upstream.body(2), { model: 'tiny' })
  t.match(JSON.stringify(upstream.body(2).messages), 'We fly to Lisbon in May.')
})
