import t from 'tap'
import { serverProblem } from '../../../src/bus/nats/server-check.js'

const SOUND = { version: '2.9.10', jetstream: true, max_payload: 1_048_576 }

t.test('a server on its own may be of any version', async (t) => {
  for (const version of ['2.9.10', '2.2.0', 'unknown']) t.equal(serverProblem({ ...SOUND, version }), null)
  t.equal(serverProblem({ ...SOUND, cluster: '' }), null)
})

t.test('a server of a cluster is of 2.10.23 or newer', async (t) => {
  const isSound = (version: string) => serverProblem({ ...SOUND, cluster: 'c', version }) === null
  for (const version of ['2.9.10', '2.10.22', '2.10.9', '1.99.99', '2.10', 'unknown', '']) t.notOk(isSound(version), version)
  for (const version of ['2.10.23', '2.10.24-RC.1', '2.11.0', '2.11.0-preview.2', '2.100.0', '3.0.0']) t.ok(isSound(version), version)
})

t.test('a server without JetStream or room for a vector is named', async (t) => {
  t.match(serverProblem({ ...SOUND, jetstream: false }), /JetStream/)
  t.match(serverProblem({ version: '2.9.10', max_payload: 65_536 }), /JetStream/)
  t.match(serverProblem({ ...SOUND, max_payload: 65_535 }), /max_payload/)
  t.equal(serverProblem({ ...SOUND, max_payload: 65_536 }), null)
})
