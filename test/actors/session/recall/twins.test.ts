import t from 'tap'
import { createTwins } from '../../../../actors/session/recall/twins.js'
import { inOneGo } from '../../../../src/domain/pieces.js'
import type { Corpus } from '../../../../src/retrieval/corpus.js'
import { createSessionRig } from '../../../support/session-rig.js'

const TEXT = 'the harbour is closed'

t.test('many texts alike of one command are looked up with one walk through those there are', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create('a')
  const memories = Array.from({ length: 200 }, (_, at) => ({ text: TEXT, role: 'user', timestamp: at }) as const)
  await session.ask({ type: 'memory.ingest', memories })
  let walks = 0
  const corpus = Object.assign(Object.create(session.state.corpus) as Corpus, {
    allByHash: (hash: string) => ((walks += 1), session.state.corpus.allByHash(hash))
  })
  const twins = createTwins({ state: { ...session.state, corpus }, now: 0 })
  inOneGo(twins.unknown(memories))
  for (const given of memories) t.equal(twins.find(given)?.memory.timestamp, given.timestamp)
  t.equal(twins.find({ text: TEXT, role: 'user' })?.memory.timestamp, 0, 'the oldest where no time is given')
  t.equal(twins.find({ text: TEXT, role: 'user', timestamp: 200 }), undefined)
  t.equal(twins.find({ text: TEXT, role: 'assistant' }), undefined)
  t.equal(walks, 1)
  t.same((await session.ask({ type: 'memory.ingest', memories })).stored, 0, 'the same batch twice')
})

t.test('of many texts those that are not held are told, each once, in one piece a text', async (t) => {
  const session = await createSessionRig().create('a')
  await session.ask({ type: 'memory.ingest', memories: [{ text: TEXT, role: 'user', timestamp: 1 }] })
  const given = [
    { text: TEXT, role: 'user' },
    { text: TEXT, role: 'user', timestamp: 2 },
    { text: TEXT, role: 'user', timestamp: 2, userId: null },
    { text: TEXT, role: 'user', userId: 'u' },
    { text: 'It opens', role: 'user' },
    { text: 'It opens', role: 'user' }
  ] as const
  const work = createTwins({ state: session.state, now: 0 }).unknown(given)
  let pieces = 0
  for (;;) {
    const next = work.next()
    if (next.done !== true) pieces += 1
    else {
      t.same(
        next.value.map((one) => given.indexOf(one)).map((at) => given[at]?.text),
        [TEXT, TEXT, 'It opens']
      )
      break
    }
  }
  t.equal(pieces, given.length)
})

t.test('many memories of one text are looked through some at a time', async (t) => {
  const session = await createSessionRig().create('a')
  const memories = Array.from({ length: 900 }, (_, at) => ({ text: TEXT, role: 'user', timestamp: at }) as const)
  await session.ask({ type: 'memory.ingest', memories })
  const twins = createTwins({ state: session.state, now: 0 })
  t.throws(() => twins.find({ text: TEXT, role: 'user' }), 'not read yet')
  t.ok([...twins.read(TEXT)].length >= 3)
  t.equal([...twins.read(TEXT)].length, 0, 'once')
})
