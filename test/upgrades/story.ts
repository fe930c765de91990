/** Calls made to every past version, which store something of each kind. They use routes that exist since the first version. */

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: object
}

/** Small, to keep fixtures small. */
const DIMENSION = 16

const session = (id: string): Call => ({ method: 'POST', path: '/v1/session/create', body: { session_id: id, dimension: DIMENSION } })
const run = (id: string, message: string, more: object = {}): Call => ({
  method: 'POST',
  path: '/v1/run',
  body: { session_id: id, message, ...more }
})
const control = (path: string, body: object): Call => ({ method: 'POST', path: `/v1/session/anna/${path}`, body })

export const ANSWER = 'Settings, Security, Two-step verification, then choose an app.'

/** Texts of the memories in the session `anna`, oldest first. */
export const TEXTS: readonly string[] = [
  'How do I enable 2FA for my mail account?',
  ANSWER,
  'Which soil suits roses?',
  'The alarm code of the summer house is on the fridge.',
  'Müller & Søn deliver on 3 May — 東京 🙂'
]

/** The calls in order; the last one exports the session `anna`. */
export const STORY: readonly Call[] = [
  session('anna'),
  session('ben'),
  run('anna', TEXTS[0] ?? ''),
  run('anna', TEXTS[2] ?? '', { response: ANSWER, user_id: 'maria' }),
  run('ben', 'The train to Lisbon leaves at nine.'),
  control('memory', { text: TEXTS[3], tier: 'long_term', importance: 2, access_count: 3 }),
  control('memory', { text: TEXTS[4] }),
  control('anchor', { text: 'Mail accounts and their security' }),
  control('trigger', { keyword: 'deadline' }),
  control('entities', { key: 'src/mail.ts#verify', kind: 'function', value: 'export function verify() {}', context: 'mail' }),
  { method: 'PUT', path: '/v1/session/anna/isolation', body: { level: 'FILTER', similarity_threshold: 0.2 } },
  { method: 'POST', path: '/v1/network/transfer', body: { source_session_id: 'ben', target_session_id: 'anna', max_weight: 0.1 } },
  { method: 'POST', path: '/v1/cluster/', body: { cluster_id: 'travel', name: 'Travel', dimension: DIMENSION } },
  { method: 'POST', path: '/v1/cluster/travel/members', body: { session_id: 'ben' } },
  {
    method: 'POST',
    path: '/v1/cluster/travel/store',
    body: { message: 'When does the museum open?', response: 'At ten, never on Mondays.' }
  },
  { method: 'POST', path: '/v1/region/', body: { name: 'South', dimension: DIMENSION } },
  { method: 'POST', path: '/v1/observer/', body: { sample_interval_seconds: 3600 } },
  { method: 'GET', path: '/v1/session/anna/export' }
]
