import t from 'tap'
import { type Caller, startService } from '../support/real-service.js'

const QUESTION = 'How do I renew my library card?'

async function asked(caller: Caller, id: string, message: string, threshold?: number) {
  await caller.post('/v1/run', { session_id: id, message: QUESTION })
  const { body } = await caller.post('/v1/run', {
    session_id: id,
    message,
    response: 'At the desk, with a passport.',
    ...(threshold !== undefined && { short_circuit_threshold: threshold })
  })
  return body
}

t.test('run: a question that came near an answered one tells which, and in what it differs', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const body = await asked(alice, 'near', 'How do I renew my library card abroad?')
  const { body: context } = await alice.get('/v1/state/context?session_id=near&top_k=50')
  const known = (context as unknown as readonly Record<string, unknown>[]).find(({ text }) => text === QUESTION)
  t.equal(body['short_circuit'], false)
  t.match(body['short_circuit_refused'], { memory_id: known?.['memory_id'], difference: 'content' })
  for (const [message, difference] of [
    ['How do I not renew my library card?', 'negation'],
    ['How do I renew 2 library cards?', 'number'],
    ['When do I renew my library card?', 'question']
  ] as const) {
    t.match(await asked(alice, difference, message), { short_circuit: false, short_circuit_refused: { difference } })
  }
})

t.test('run: nothing was refused where the question is repeated in other words, nor where nothing came near', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const repeated = await asked(alice, 'same', 'What are the steps to renew my library card?')
  t.same([repeated['short_circuit'], 'short_circuit_refused' in repeated], [true, false])
  const other = await asked(alice, 'other', 'Whales sleep upright in warm seas.')
  t.same([other['short_circuit'], 'short_circuit_refused' in other], [false, false])
})

t.test('short_circuit_threshold: a higher one asks for the wording, a lower one lets a word more pass', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const hit = async (id: string, message: string, threshold: number) => (await asked(alice, id, message, threshold))['short_circuit']
  const paraphrase = 'What are the steps to renew my library card?'
  t.same([await hit('p1', paraphrase, 0.85), await hit('p2', paraphrase, 0.97)], [true, false])
  const more = 'How do I renew my old library card?'
  t.same([await hit('m1', more, 0.7), await hit('m2', more, 0.5)], [false, true])
  const opposite = 'How do I not renew my library card?'
  t.same([await hit('o1', opposite, 0.5), await hit('o2', opposite, 0.3)], [false, true])
})
