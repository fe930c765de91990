import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

/** Questions of other languages than English and German that differ in one fact. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  // Words that are fillers, articles or endings in German only.
  ['O que fez mal ao cachorro?', 'O que fez ao cachorro?'],
  ['¿Dónde estás mal?', '¿Dónde estás?'],
  ['Wie ziet de hond?', 'Wie ziet de honden?'],
  ['Hvor er bilen?', 'Hvor er bile?'],
  ['Qui voit la fille des voisins ?', 'Qui voit la fille des voisines ?'],
  ["İzmir'den Bursa'ya otobüs kaç saat sürer?", "İzmir'de Bursa'ya otobüs kaç saat sürer?"],
  // Accents, vowel points and tones make other words.
  ['Bu yıl kar ne kadar oldu?', 'Bu yıl kâr ne kadar oldu?'],
  ['Onde está o avô?', 'Onde está a avó?'],
  ['¿Cuándo llegó?', '¿Cuándo llego?'],
  ['Mua cá ở đâu', 'Mua cà ở đâu'],
  ['متى درس أحمد؟', 'متى درّس أحمد؟'],
  ['Ποιος είναι ο νόμος εδώ;', 'Ποιος είναι ο νομός εδώ;'],
  ['ビルはどこですか？', 'ビールはどこですか？'],
  ['เขาขายเสื้อที่ไหน', 'เขาขายเสือที่ไหน'],
  // Digits of other scripts.
  ['كم ميلا في ٥ كيلومترات؟', 'كم ميلا في ٥٠ كيلومترات؟'],
  ['٣٫٥ كم بوصة؟', '٣٥ كم بوصة؟'],
  ['५ किलोमीटर में कितने मील?', '6 किलोमीटर में कितने मील?'],
  // Who does what, and where to.
  ['从北京到上海的火车要多久？', '从上海到北京的火车要多久？'],
  ['犬は人を噛みましたか？', '人は犬を噛みましたか？'],
  ['누가 민수를 봤어요?', '민수가 누구를 봤어요?'],
  ['หมากัดคน', 'คนกัดหมา']
]

/** The same question, typed otherwise. */
const SAME: readonly (readonly [string, string])[] = [
  ['كم ميلا في 5 كيلومترات؟', 'كم ميلا في ٥ كيلومترات'],
  ['متى يصل أخي؟', 'متى يصل أخـــي؟'],
  ['5 กิโลเมตรเท่ากับกี่ไมล์', '๕ กิโลเมตรเท่ากับกี่ไมล์?'],
  ['รัฐมนตรีพูดอะไร', 'รัฐมนตรี\u200bพูด\u200bอะไร'],
  ['५ किलोमीटर में कितने मील होते हैं?', '5 किलोमीटर में कितने मील होते हैं'],
  ['\u200fמתי מגיע אחי?\u200e', 'מתי מגיע אחי'],
  ['5 kilometre kaç mil eder?', '5 KİLOMETRE KAÇ MİL EDER?'],
  ['Gece modunu nasıl açarım?', 'GECE MODUNU NASIL AÇARIM?'],
  ['Πόσα μίλια είναι 5 χιλιόμετρα;', 'ποσα μιλια ειναι 5 χιλιομετρα'],
  ['Πόσα μίλια είναι 5 χιλιόμετρα;', 'ΠΟΣΑ ΜΙΛΙΑ ΕΙΝΑΙ 5 ΧΙΛΙΟΜΕΤΡΑ;'],
  ['夜間モードはどうやってオンにしますか？', '夜間モードはどうやってオンにしますか。'],
  ['蛋糕要放多少克糖？', '蛋糕要放多少克糖'],
  ['Wanneer komt mijn broer aan?', 'wanneer komt mijn broer aan'],
  ['Quando chega o meu avô?', 'quando chega o meu avô'.normalize('NFD')]
]

t.test('questions of other languages that differ in one fact are told apart', async (t) => {
  for (const [a, b] of DIFFERENT) t.not(factsDiffer(a, b), null, `${a} | ${b}`)
})

t.test('a question of another language is the same with other digits, marks, capitals and invisible characters', async (t) => {
  for (const [a, b] of SAME) {
    t.equal(factsDiffer(a, b)?.kind, undefined, `${a} | ${b}`)
    t.equal(factsDiffer(b, a)?.kind, undefined, `${b} | ${a}`)
  }
})

t.test('capitals of ASCII alone still tell options apart, and emoji in a row are not one', async (t) => {
  t.not(factsDiffer('ls -r', 'LS -R'), null)
  t.not(factsDiffer('Who sent 👨‍👩‍👧?', 'Who sent 👨👩👧👶?'), null)
})
