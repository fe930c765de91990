import t from 'tap'
import { TEXT_LENGTH_MAX } from '../../../src/domain/limits.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { questionOf } from '../../../src/http/chat/request.js'

t.test("the question is the text of the user's last message, as many characters of it as a memory may have", async (t) => {
  const asked = (content: unknown) =>
    inOneGo(
      questionOf([
        { role: 'user', content: 'Before?' },
        { role: 'user', content },
        { role: 'assistant', content: 'No.' }
      ])
    )
  t.equal(asked('Why?'), 'Why?')
  t.equal(asked([{ type: 'text', text: 'Why' }, { type: 'image_url' }, { type: 'text', text: 'now?' }]), 'Why\nnow?')
  for (const one of ['x', '\u00e9', '\u{1f600}']) {
    const longest = one.repeat(TEXT_LENGTH_MAX)
    t.ok(asked(longest) === longest, `as many as there may be of ${one}`)
    t.ok(asked(`${longest}!`) === longest, `one more than there may be of ${one}`)
  }
  for (const nothing of ['', ' \n', null, 5, [], [{ type: 'image_url' }]]) t.equal(asked(nothing), null)
})

t.test('a question of many parts is read in pieces, and no further than a memory goes', async (t) => {
  const piecesOf = (text: string, count: number) => {
    const work = questionOf([{ role: 'user', content: Array.from({ length: count }, () => ({ type: 'text', text })) }])
    for (let pieces = 1; ; pieces++) {
      const next = work.next()
      if (next.done === true) return { pieces, length: next.value?.length }
    }
  }
  t.same(piecesOf('x', 10_000), { pieces: 20, length: 19_999 })
  t.same(piecesOf('x'.repeat(1_000), 100_000), { pieces: 1, length: TEXT_LENGTH_MAX })
})
