import t from 'tap'
import { type Caller, startService } from '../support/real-service.js'

/** By language: a statement, a question that shares a word with it, and a text with a number that fills the rest of the session. */
const TOLD: readonly (readonly [string, { readonly told: string; readonly asked: string; readonly filling: string }])[] = [
  [
    'Chinese',
    {
      told: '我的护照放在书房的抽屉里',
      asked: '护照在哪里？',
      filling: '今天我们讨论了第#个项目的进展情况然后大家一起吃了午饭接着安排了下周的工作计划'
    }
  ],
  [
    'Chinese with English words',
    { told: '我的API key存放在vault里', asked: 'where is the vault', filling: '今天我们讨论了第#个项目的进展情况' }
  ],
  [
    'Japanese',
    {
      told: 'パスポートは書斎の引き出しにある',
      asked: '引き出しには何がある？',
      filling: '今日は第#プロジェクトの進捗について話し合いその後みんなで昼食を食べた'
    }
  ],
  ['Thai', { told: 'หนังสือเดินทางอยู่ในลิ้นชัก', asked: 'ลิ้นชัก', filling: 'วันนี้เราได้พูดคุยเกี่ยวกับความคืบหน้าของโครงการที่#และไปรับประทานอาหารกลางวัน' }],
  ['Khmer', { told: 'ខ្ញុំទុកលិខិតឆ្លងដែនក្នុងថតតុ', asked: 'លិខិតឆ្លងដែន', filling: 'ថ្ងៃនេះយើងបាននិយាយអំពីគម្រោងទី#ហើយបន្ទាប់មកយើងបានញ៉ាំបាយជាមួយគ្នា' }],
  [
    'Korean',
    { told: '내 여권은 서재 서랍에 있어요', asked: '여권이 어디 있어?', filling: '오늘은 #번째 프로젝트의 진행 상황을 논의했습니다' }
  ],
  ['Turkish', { told: 'Pasaportum İstanbul evindeki çekmecede', asked: 'ISTANBUL', filling: 'Bugün # numaralı projeyi konuştuk' }],
  ['Arabic', { told: 'جواز سفري في دُرْج المكتب', asked: 'ماذا في درج المكتب؟', filling: 'اليوم ناقشنا المشروع رقم # ثم تناولنا الغداء' }],
  ['Greek', { told: 'Το διαβατήριο είναι στο συρτάρι', asked: 'ΔΙΑΒΑΤΗΡΙΟ', filling: 'Σήμερα συζητήσαμε το έργο #' }],
  [
    'Vietnamese, decomposed',
    { told: 'Hộ chiếu của tôi ở trong ngăn kéo', asked: 'ngăn kéo'.normalize('NFD'), filling: 'Hôm nay chúng tôi thảo luận dự án #' }
  ]
]
const FILLINGS = 200

async function filled(caller: Caller, id: string, { told, filling }: { readonly told: string; readonly filling: string }): Promise<void> {
  await caller.post('/v1/session/create', { session_id: id })
  // Long texts, so that the word asked for is a small part of its text.
  const memories = Array.from({ length: FILLINGS }, (_, at) => ({ text: filling.replace('#', String(at)) }))
  memories.splice(FILLINGS / 4, 0, { text: `${filling.replace('#', '')}${told}${filling.replace('#', '')}` })
  await caller.post(`/v1/session/${id}/memories`, { memories })
}

for (const [language, story] of TOLD) {
  t.test(`${language}: what was said is found by a word of it, in a text of many`, async (t) => {
    const alice = await (await startService(t)).as('alice')
    await filled(alice, 'told', story)
    const found = await alice.post('/v1/session/told/search', { query: story.asked, top_k: 1 })
    const run = await alice.post('/v1/run', { session_id: 'told', message: story.asked })
    const [best] = found.body['results'] as readonly { readonly text: string }[]
    t.match(best?.text, story.told)
    t.ok(String(run.body['context']).includes(story.told), run.body['context'] as string)
  })
}
