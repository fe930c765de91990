/** A retrieval that fails loses only the context, and is reported by its error's name. */
import t from 'tap'
import { createSessionRig } from '../../../support/session-rig.js'
import { match, QUESTION, team } from '../../../support/session-team.js'

const WARNING = { fields: { error: 'RangeError' }, message: 'A retrieval failed' }

function fail(): never {
  throw new RangeError(`${QUESTION} is not known`)
}

t.test('a turn whose retrieval fails succeeds without context, and is counted, logged and traced', async (t) => {
  const rig = createSessionRig({ isTraced: true })
  const session = await rig.create()
  await session.run('Anna lives in Bremen.')
  t.same([rig.counted, rig.warnings], [[], []], 'nothing before it fails')
  Object.assign(session.state.literals, { all: fail })
  t.match(await session.run(QUESTION), { retrievalError: true, context: '', turn: 2 })
  t.same(rig.counted, ['retrieval_failure'])
  t.same(rig.warnings, [WARNING], 'no text')
  t.match(
    rig.events.filter(({ kind }) => kind === 'retrieve.failed').map(({ data }) => data),
    [{ turn: 2, error: 'RangeError' }]
  )
})

t.test('a cluster whose retrieval fails answers its member with nothing, and that is counted and logged', async (t) => {
  const rig = createSessionRig()
  const { shared } = await team(rig)
  shared.state.head = { ...shared.state.head, settings: { ...shared.state.head.settings, useCortex: true } }
  Object.assign(shared.state.topics, { list: fail })
  t.same(await shared.ask(match(QUESTION)), { isAnswered: false, hits: [] })
  t.same(rig.counted, ['retrieval_failure'])
  t.same(rig.warnings, [WARNING])
})
