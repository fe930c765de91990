import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import type { Trigger } from '../../../src/domain/session.js'
import { firedTriggers, foldFully, type TriggerInput } from '../../../src/domain/words/triggers.js'

const EAST = Float32Array.of(1, 0)

function trigger(own: Partial<Trigger>): Trigger {
  return { id: 't', keyword: null, embedding: null, threshold: 0.75, firedCount: 0, firedTurn: 0, ...own }
}

/** As of a model that was not fitted. */
const scale = (cosine: number) => cosine
const fired = (input: TriggerInput, triggers: readonly Trigger[]) => inOneGo(firedTriggers(input, triggers))
const fires = (keyword: string, text: string) => fired({ text, vector: EAST, scale }, [trigger({ keyword })]).length === 1

const FIRING: readonly (readonly [string, string])[] = [
  ['ship', 'Ship it'],
  ['ship', 'When do we ship?'],
  ['ship', 'ship'],
  ['ship it', 'So,  SHIP\n it now'],
  ['straße', 'DIE STRASSE'],
  ['STRASSE', 'eine Straße'],
  ['straße', 'DIE STRAẞE'],
  ['Größe', 'GRÖSSE'],
  ['ΟΔΟΣ', 'η οδός οδος'],
  ['café', 'the cafe\u0301 is open'],
  ['ﬁle', 'a FILE'],
  ['c++', 'we write C++ here'],
  ['🙂', 'well🙂then'],
  ['東京', '私は東京に住んでいます'],
  ['api', 'APIを使う'],
  ['a', 'b a'],
  ['node', 'node_modules or node'],
  ['ab', 'abab ab'],
  ['a a', 'xa a a']
]
const SILENT: readonly (readonly [string, string])[] = [
  ['ship', 'shipping'],
  ['ship', 'friendship'],
  ['ship', 'ship2'],
  ['node', 'node_modules'],
  ['ship it', 'ship that it'],
  ['cafe', 'café'],
  ['cafe', 'cafe\u0301'],
  ['東京', '京都'],
  [' ', 'anything at all'],
  ['ship', ''],
  ['aa', 'aaa a'],
  ['ab', 'abab xab']
]

for (const [keyword, text] of FIRING) t.test(`keyword "${keyword}" fires in "${text}"`, async (t) => t.ok(fires(keyword, text)))
for (const [keyword, text] of SILENT) t.test(`keyword "${keyword}" is silent in "${text}"`, async (t) => t.notOk(fires(keyword, text)))

t.test('an embedding trigger fires from its threshold on, inclusively', async (t) => {
  const at = (threshold: number) =>
    fired({ text: 'x', vector: Float32Array.of(0.75, Math.sqrt(1 - 0.75 ** 2)), scale }, [trigger({ embedding: EAST, threshold })]).length
  t.equal(at(0.75), 1)
  t.equal(at(0.76), 0)
  t.equal(at(-1), 1)
})

t.test('several triggers are given back in their order, only those that fire', async (t) => {
  const triggers = [trigger({ id: 'a', keyword: 'red' }), trigger({ id: 'b', keyword: 'blue' }), trigger({ id: 'c', embedding: EAST })]
  t.same(
    fired({ text: 'Red wine', vector: EAST, scale }, triggers).map(({ id }) => id),
    ['a', 'c']
  )
})

t.test('folding twice changes nothing more', async (t) => {
  for (const [keyword, text] of [...FIRING, ...SILENT])
    for (const one of [keyword, text]) t.equal(foldFully(foldFully(one)), foldFully(one))
})

t.test('keywords that stand all over a long word take a piece each', async (t) => {
  const triggers = Array.from({ length: 256 }, (_, at) => trigger({ keyword: 'a'.repeat(at + 1) }))
  const work = firedTriggers({ text: 'a'.repeat(200_000), vector: EAST, scale }, triggers)
  let pieces = 0
  while (work.next().done !== true) pieces++
  t.ok(pieces > 256 && pieces < 300, String(pieces))
})
