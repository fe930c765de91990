import t from 'tap'
import { estimatePromptTokens, estimateTokens } from '../../../src/domain/text/token-estimate.js'

/** Texts with their tokens by the o200k vocabulary. */
const COUNTED: readonly (readonly [text: string, tokens: number])[] = [
  ['蛋糕要放多少克糖？', 8],
  ['お酒と一緒に飲める薬はどれですか？', 16],
  ['술과 같이 먹어도 되는 약은 뭐예요?', 13],
  ['Какие лекарства можно принимать с алкоголем?', 10],
  ['สามีอยากทาสีทางเดินเป็นสีเหลือง', 13],
  ['😀😂🥹🫠', 7]
]

t.test('a text in a script with few characters a token is estimated at what it takes or somewhat more', async (t) => {
  for (const [text, tokens] of COUNTED) {
    const estimated = estimatePromptTokens(text)
    t.ok(estimated >= tokens * 0.95 && estimated <= tokens * 2.2, `${text}: ${String(estimated)} of ${String(tokens)}`)
  }
})

t.test('English is estimated at four characters a token, and nothing at less', async (t) => {
  for (const text of ['', 'abcd', 'abcde', 'It’s fine – really.']) t.equal(estimatePromptTokens(text), estimateTokens(text), text)
  for (const [text] of COUNTED) t.ok(estimatePromptTokens(text) >= estimateTokens(text), text)
})

t.test('a long text is extrapolated from its beginning', async (t) => {
  t.equal(estimatePromptTokens('糖'.repeat(100_000)), 100_000)
})
