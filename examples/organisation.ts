/**
 * `npm run example:organisation`: three agents of one cluster share what they find out, so that each question is answered once; then two
 * departments drift together, their region realigns, and the observer reports it. `-- URL` takes a running service, with its token in
 * TOKEN.
 */
import { type Client, type Json, print, withService } from './shared/client.js'

/** What the help desk is asked, agent by agent, and what its model would answer. */
const QUESTIONS = [
  {
    agent: 'ada',
    question: 'How do I reset the password of my mail account?',
    answer: 'On the sign-in page, choose "Forgotten?" and follow the link in the mail.'
  },
  { agent: 'ben', question: 'Which VPN server is used in the Berlin office?', answer: 'vpn-2.example.org, with the profile "Berlin".' },
  { agent: 'cleo', question: 'How can I reset the password of my mail account?', answer: 'The same as Ada found.' },
  { agent: 'ada', question: 'Which VPN server is used in the Berlin office?', answer: 'The same as Ben found.' },
  { agent: 'cleo', question: 'How do I enable two-factor login for the wiki?', answer: 'In the profile of the wiki, under Security.' },
  { agent: 'ben', question: 'How can I enable two-factor login for the wiki?', answer: 'The same as Cleo found.' },
  { agent: 'ada', question: 'How do I disable two-factor login for the wiki?', answer: 'Only an administrator can: ask the help desk.' },
  { agent: 'ben', question: 'Which VPN server is used in the Paris office?', answer: 'vpn-5.example.org, with the profile "Paris".' },
  { agent: 'cleo', question: 'Which VPN server is used in the Paris office?', answer: 'The same as Ben found.' }
]

const AGENTS = ['ada', 'ben', 'cleo']

/** What two departments talk about, until the same thing happens to both. */
const DEPARTMENTS = [
  {
    name: 'sales',
    coupling: 0.3,
    talk: [
      'Which customers renew their contract in spring?',
      'The customers in Spain renew their contract in March.',
      'Let us offer the customers in Spain a longer contract.'
    ],
    news: 'Hackers have encrypted the file servers, and demand a ransom.'
  },
  {
    name: 'operations',
    coupling: 0.6,
    talk: [
      'When is the next inspection of the lifts?',
      'The inspection of the lifts is on Sunday.',
      'Move the inspection of the lifts to Monday.'
    ],
    news: 'All file servers are encrypted by ransomware: hackers broke in.'
  }
]

await withService(async (client) => {
  await shareFindings(client)
  await driftTogether(client)
})

async function shareFindings(client: Client): Promise<void> {
  print('Three agents of one help desk\n')
  const desk = await clusterOf(client, { name: 'help desk' })
  const sessions = new Map<string, string>()
  for (const agent of AGENTS) {
    const { session_id: id } = await client.call('POST', '/v1/session/create', {})
    await client.call('POST', `/v1/cluster/${desk}/members`, { session_id: id })
    sessions.set(agent, String(id))
  }
  let shortCircuits = 0
  for (const { agent, question, answer } of QUESTIONS) {
    const sessionId = sessions.get(agent)
    const run = await client.call('POST', '/v1/run', { session_id: sessionId, message: question })
    if (run['short_circuit'] === true) shortCircuits += 1
    // Only what nobody has answered yet costs a call of the model, and is worth learning.
    else await client.call('POST', '/v1/store', { session_id: sessionId, response: answer })
    print(`${agent.padEnd(5)} ${run['short_circuit'] === true ? 'knows it already' : 'asks the model  '}  ${question}`)
  }
  print(`\n${shortCircuits} short circuits: ${QUESTIONS.length} questions, ${QUESTIONS.length - shortCircuits} calls of the model`)
  await client.call('DELETE', `/v1/cluster/${desk}`)
  for (const id of sessions.values()) await client.call('DELETE', `/v1/session/${id}`)
}

async function driftTogether(client: Client): Promise<void> {
  print('\nTwo departments of one region\n')
  const region = await client.call('POST', '/v1/region/', { name: 'company', consensus_threshold: 0.5 })
  const regionPath = `/v1/region/${String(region['region_id'])}`
  await client.call('POST', '/v1/observer/', {})
  await client.call('POST', '/v1/observer/regions', { region_id: region['region_id'] })
  const clusters: string[] = []
  for (const { name, coupling } of DEPARTMENTS) {
    const id = await clusterOf(client, { name, coupling_factor: coupling })
    await client.call('POST', `${regionPath}/clusters`, { cluster_id: id })
    clusters.push(id)
  }
  for (const [at, { name, talk }] of DEPARTMENTS.entries())
    for (const message of talk) await say(client, { name, clusterId: clusters[at], message })
  // What an earlier day left is over now, and would be reported again.
  await client.call('POST', '/v1/observer/sample')
  print(`\nThe departments are alike by ${(await likeness(client, clusters)).toFixed(2)}\n`)
  for (const [at, { name, news }] of DEPARTMENTS.entries()) await say(client, { name, clusterId: clusters[at], message: news })
  const { realignment_count: realignments, recent_drift_events: events } = await client.call('GET', regionPath)
  print(
    `\nThe region saw ${(events as Json[]).length} drift events, and realigned ${String(realignments)} time: alike by ${(await likeness(client, clusters)).toFixed(2)}\n`
  )
  await report(client)
  await client.call('DELETE', `/v1/observer/regions/${String(region['region_id'])}`)
  await client.call('DELETE', regionPath)
  for (const id of clusters) await client.call('DELETE', `/v1/cluster/${id}`)
}

async function say(
  client: Client,
  { name, clusterId, message }: { name: string; clusterId: string | undefined; message: string }
): Promise<void> {
  const run = await client.call('POST', `/v1/cluster/${String(clusterId)}/run`, { message })
  print(`${name.padEnd(11)} drift ${Number(run['drift_score']).toFixed(2)} ${String(run['drift_phase']).padEnd(8)}  ${message}`)
}

/** Cosine of what two clusters are about. */
async function likeness(client: Client, clusterIds: readonly string[]): Promise<number> {
  const [a = [], b = []] = await Promise.all(
    clusterIds.map(async (id) => (await client.call('GET', `/v1/cluster/${id}`))['aggregate_vector'] as number[])
  )
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
}

/** Samples now instead of at the next interval. */
async function report(client: Client): Promise<void> {
  const sample = await client.call('POST', '/v1/observer/sample')
  print(`The observer sampled ${String(sample['clusters_sampled'])} clusters of the region:`)
  const newestFirst = await client.list('/v1/observer/anomalies')
  for (const { anomaly_type: type, description, severity } of newestFirst.slice(0, Number(sample['new_anomalies'])))
    print(`- ${String(type)}, severity ${Number(severity).toFixed(2)}: ${String(description)}`)
}

async function clusterOf(client: Client, body: object): Promise<string> {
  return String((await client.call('POST', '/v1/cluster/', body))['cluster_id'])
}
