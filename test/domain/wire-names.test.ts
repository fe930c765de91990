import t from 'tap'
import { toCamelCase, toSnakeCase } from '../../src/domain/wire-names.js'

t.test('names go over the wire and come back as they were', async (t) => {
  const names = { id: 'id', sessionId: 'session_id', shortCircuitThreshold: 'short_circuit_threshold', topK: 'top_k' }
  for (const [inside, wire] of Object.entries(names)) {
    t.equal(toSnakeCase(inside), wire)
    t.equal(toCamelCase(wire), inside)
  }
})
