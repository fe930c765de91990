import t from 'tap'
import { LeanMap } from '../../src/domain/collections/lean-map.js'
import { readWording } from '../../src/retrieval/wording.js'

t.test('a wording tells who speaks, in lower case, and how much of the text only asks', async (t) => {
  const speakers = new LeanMap<string, readonly string[]>()
  t.match(readWording('Dr. Ann Zweig: I moved to Graz.', speakers), { questionShare: 0, speaker: ['dr.', 'ann', 'zweig'] })
  t.match(readWording('Where did you move to?', speakers), { questionShare: 1, speaker: null })
  const { questionShare } = readWording('Ann: I moved. Did you?', speakers)
  t.ok(questionShare > 0 && questionShare < 1)
})

t.test('a wording tells whether a text takes back what was said, or ends something', async (t) => {
  const changeOf = (text: string) => readWording(text, new LeanMap()).change
  t.equal(changeOf('Scratch that, make it eight.'), 'takes back')
  t.equal(changeOf('I sold the car.'), 'ends')
  t.equal(changeOf('I like the car.'), null)
})

t.test('memories share what they have in common, and a session of many speakers keeps few names beside them', async (t) => {
  const speakers = new LeanMap<string, readonly string[]>()
  t.equal(readWording('I moved to Graz.', speakers), readWording('So did I.', speakers))
  t.equal(readWording('Ann: yes', speakers).speaker, readWording('Ann: no', speakers).speaker)
  for (let n = 0; n < 1_000; n++) readWording(`Ann ${String(n)}: yes`, speakers)
  t.ok(speakers.size <= 64, `${String(speakers.size)} names`)
  t.same(readWording('Ann: yes', speakers).speaker, ['ann'])
})

t.test('of a long text the first 4,000 characters tell how much of it asks', async (t) => {
  const shareOf = (text: string) => readWording(text, new LeanMap()).questionShare
  t.ok(shareOf(`${'Rain fell. '.repeat(400).slice(0, 3_990)} Why?`) > 0)
  t.equal(shareOf(`${'Rain fell. '.repeat(400).slice(0, 3_996)} Why?`), 0)
})
