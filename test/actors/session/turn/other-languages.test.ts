import t from 'tap'
import { createSessionRig } from '../../../support/session-rig.js'

const DAY = 86_400

/** Asks a text twice, some time apart, and returns the second reply. */
async function twice(text: string, { after = 60 } = {}) {
  const rig = createSessionRig()
  const session = await rig.create()
  await session.run(text)
  rig.advance(60)
  await session.run('42', { response: '42.' })
  rig.advance(after)
  return session.run(text)
}

t.test('a request of another language that is said again is not answered from memory', async (t) => {
  for (const text of [
    'Adicione leite à lista de compras.',
    'リストに牛乳を追加して',
    '把牛奶加到清单里。',
    'Добавь молоко в список.',
    'أضف الحليب إلى القائمة.'
  ]) {
    t.match(await twice(text), { shortCircuit: false, refused: { difference: 'task' } }, text)
  }
})

t.test('a question of another language that is asked again is answered, with a question mark and without', async (t) => {
  for (const text of ['光合成とは何ですか', '什么是光合作用？', 'O que é fotossíntese?', 'почему небо голубое', 'ทำไมท้องฟ้าสีฟ้า']) {
    t.match(await twice(text), { shortCircuit: true }, text)
  }
})

t.test('a question of another language about today is another one tomorrow', async (t) => {
  for (const text of ['今日の天気は？', '¿Qué tiempo hace hoy?', 'Какая сегодня погода?', 'วันนี้อากาศเป็นอย่างไร']) {
    t.match(await twice(text), { shortCircuit: true }, text)
    t.match(await twice(text, { after: DAY }), { shortCircuit: false, refused: { difference: 'time' } }, text)
  }
})
