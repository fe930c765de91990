import t from 'tap'
import { relativeTimes } from '../../../src/domain/text/relative-words.js'

const DAY = 86_400
/** A Wednesday. */
const NOW = Date.UTC(2026, 10, 25, 12) / 1000
const MIDNIGHT = NOW - DAY / 2

t.test('words for days in other languages name the day from today', async (t) => {
  const days: readonly (readonly [text: string, step: number])[] = [
    ['¿Qué tiempo hace hoy?', 0],
    ['Quel temps fait-il aujourd’hui ?', 0],
    ['Qui a appelé hier ?', -1],
    ['Qual é a agenda de amanhã?', 1],
    ['Кто звонил вчера?', -1],
    ['من اتصل أمس؟', -1],
    ['明日の予定は何ですか？', 1],
    ['昨天谁来了？', -1],
    ['오늘은 추워요?', 0],
    ['ใครมาเมื่อวาน', -1],
    ['Hôm nay thời tiết thế nào?', 0]
  ]
  for (const [text, step] of days)
    t.same(relativeTimes(text, NOW), [{ since: MIDNIGHT + step * DAY, until: MIDNIGHT + (step + 1) * DAY }], text)
})

t.test('words for weeks name the week from Monday', async (t) => {
  for (const text of ['今週の予定は？', '¿Qué hay esta semana?', 'Что у нас на этой неделе?']) {
    t.same(relativeTimes(text, NOW), [{ since: MIDNIGHT - 2 * DAY, until: MIDNIGHT + 5 * DAY }], text)
  }
})

t.test('parts of words, and words of English and German, name nothing', async (t) => {
  for (const text of ['¿Quién es Hoyos?', 'Was ist hier los?', 'Wie war der Morgen?', 'What is the plan?', ''])
    t.same(relativeTimes(text, NOW), [], text)
})
