import t from 'tap'
import { isAskingInAnyLanguage, isUnknownRequest } from '../../../src/domain/text/asking.js'

/** Requests and statements of many languages, each with a question of the same language. */
const PAIRS: readonly (readonly [request: string, question: string])[] = [
  ['Marque uma reunião às três.', 'quantos ossos tem o corpo humano'],
  ['Você pode apagar a luz?', 'O que é fotossíntese?'],
  ['Wyłącz światło', 'ile kości ma człowiek'],
  ['Işıkları kapat', 'gökyüzü neden mavi'],
  ['Işığı kapatır mısın?', 'Işık hızı nedir?'],
  ['Släck lampan på bordet.', 'Hur många ben finns i kroppen?'],
  ['Voeg melk toe.', 'Hoeveel botten heeft een mens?'],
  ['Выключи свет', 'почему небо голубое'],
  ['Замов таксі на восьму', 'Що таке фотосинтез?'],
  ['أطفئ الأنوار', 'لماذا السماء زرقاء'],
  ['תכבה את האור', 'למה השמיים כחולים'],
  ['बत्ती बंद कर दो', 'आसमान नीला क्यों है'],
  ['ปิดไฟ', 'ทำไมท้องฟ้าสีฟ้า'],
  ['关掉灯', '为什么天空是蓝色的'],
  ['電気を消して', 'なぜ空は青いの'],
  ['何か歌って', 'これは何ですか'],
  ['消してくれますか？', '消えますか？'],
  ['불 꺼', '왜 하늘은 파래요'],
  ['Tắt đèn', 'Quang hợp là gì'],
  ['Σβήσε τα φώτα.', 'Γιατί είναι μπλε ο ουρανός;']
]

t.test('a text of another language that asks nothing may be a request, and a question is none', async (t) => {
  for (const [request, question] of PAIRS) {
    t.ok(isUnknownRequest(request), request)
    t.notOk(isUnknownRequest(question), question)
    t.ok(isAskingInAnyLanguage(question), question)
  }
})

t.test('a request to be told what is known is a question, whatever its mood', async (t) => {
  for (const text of [
    'Объясни фотосинтез.',
    '解释光合作用。',
    '光合成を説明してください。',
    'Wyjaśnij fotosyntezę.',
    '광합성을 설명해 줘.'
  ])
    t.notOk(isUnknownRequest(text), text)
})

t.test('English and German are none of these languages, with foreign names and words in them too', async (t) => {
  for (const text of [
    'I was in São Paulo with my brother.',
    'Explain 光合成 to me please',
    'docker compose restart policy',
    'Wetter morgen in Köln'
  ])
    t.notOk(isUnknownRequest(text), text)
  for (const text of ['I know when and where we met.', 'Comment on this line.', 'Ich weiß, wie es geht.'])
    t.notOk(isAskingInAnyLanguage(text), text)
})
