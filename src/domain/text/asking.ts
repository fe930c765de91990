/**
 * Recognises questions in languages other than English and German, whose sentences no rule here parses. Question marks are known in every
 * script. Question words are a closed class in any language; these are the languages that people often write in.
 */
import { foldCase } from './normal-form.js'
import { isStopWord } from './stop-words.js'

/** UTF-16 units read: the beginning of a text. */
const READ_CHARACTERS = 400

/** Question marks of all scripts after compatibility normalisation. Greek has the semicolon. */
const QUESTION_MARK = /[?؟՞፧⸮‽꘏꛷]|\p{Script=Greek}["'”’»)]{0,4}\s?;/u

/** Question words that have no other meaning, wherever they stand. Words of English and German, and names, are left out. */
const ASKING_ANYWHERE = `
combien pourquoi quand quel quelle quels quelles laquelle lequel
cuánto cuánta cuántos cuántas cuanto cuantos cuantas cuándo cuál cuáles dónde adónde qué quién quiénes cómo porqué
quanto quanta quantos quantas quanti quante quando perché perche dove quali quale onde aonde qual quais cadê
hoeveel waarom wanneer waar hoe welke waarvoor
ile dlaczego czemu kiedy gdzie skąd dokąd który która które jaki jaka jakie czyj
kolik proč kdy kde odkud který která které jaký jaká jaké koľko prečo kedy
neden niçin niye nasıl nedir kaç kaçta kaçıncı nerede nereye nereden hangi hangisi kimin kimde kime kimdir mi mı mu mü mısın misin midir mıdır
varför hvorfor när hvornår hvilken hvilket hvilke vilken vilket vilka hvordan hvor hvad
miksi milloin missä mistä mihin kuinka montako paljonko mikä kuka miten
câte cât câți câtă unde când
mennyi hány mikor miért hogyan melyik honnan hová
berapa mengapa kenapa bagaimana kapan siapa apakah dimana
почему сколько когда где куда откуда зачем какой какая какое какие каков чей чья кто кого кому чего чему
чому скільки коли де куди звідки навіщо який яка яке які чий хто
кога къде защо колко какво кой защото
أي أية كم لماذا متى أين اين كيف هل ماذا لمن
כמה למה מתי איפה היכן איך מדוע האם איזה איזו אילו לאן מאין מיהו מהו מהי
क्या कब कहाँ कहां कैसे क्यों कितना कितनी कितने कौन किसका किसकी किसके किसे किसने
πόσο πόσα πόσοι πόσες πόση πότε γιατί πού πώς ποιος ποια ποιο ποιοι ποιες ποιον ποσο ποσα ποση ποτε γιατι ποιοσ
چرا چند کجا چگونه چطور آیا کدام
`
/** Question words that join clauses too: they ask only at the beginning, after one small word at most. */
const ASKING_FIRST = `
que qui quoi comment quem como cosa chi wat wie welk kto kogo komu co czy jak kdo hur vem vad hvem hva mitä apa что как чи що як من ما מי מה τι ποιος
`
/** Vietnamese asks in phrases, some of them at the end. */
const PHRASES =
  /(?<!\p{L})(?:gì|mấy|bao nhiêu|bao giờ|bao lâu|bao xa|khi nào|tại sao|vì sao|thế nào|như thế nào|ở đâu|là gì|cái gì|là ai|phải không|có phải|est-ce|por qué|por que|ne zaman|ne kadar|co to|o co|z kim)(?!\p{L})|(?<!\p{L})(?:ai|đâu|nào|không|chưa)\s*$/u
/** Scripts without spaces, and Korean, attach particles to words. "何か" and "언제나" mean any. */
const UNSPACED_ASKING = foldedPattern(
  /什么|什麼|甚麼|谁|誰(?![かも])|哪|多少|几点|幾點|几号|几岁|几时|怎|为何|為何|何时|何時|吗|嗎|是不是|有没有|有沒有|(?:何|なに|なん|だれ|いつ|どこ|なぜ)(?![かも])|どう(?![ぞも])|どれ|どの|どんな|いくつ|いくら|か[。\s]*$|무엇|뭐|뭘|무슨|누구(?!나)|누가|언제(?!나)|어디(?!나)|어떻게|어떤|어느|왜|얼마|몇|까[.\s]*$|나요[.\s]*$|อะไร|ใคร|เมื่อไ|ไหน|ทำไม|อย่างไร|ยังไง|กี่|เท่าไ|ไหม|มั้ย|หรือเปล่า|หรือไม่|หรือยัง|អ្វី|ဘာ|ທີ່ໃດ|ຫຍັງ/u
)

/** Requests to be told what is known: explain, describe, define, translate, compare, summarise. */
const TELLING =
  /^(?:explique|explica|descrev|defin|traduz|compar|resum|calcul|wyjaśnij|opisz|przetłumacz|porównaj|zdefiniuj|vysvětli|popiš|açıkla|tanımla|çevir|karşılaştır|özetle|förklara|beskriv|forklar|selitä|kuvaile|explică|traduce|jelaskan|terjemahkan|leg .* uit|verklaar|beschrijf|vertaal|vergelijk|magyarázd|объясни|опиши|переведи|сравни|определи|поясни|переклади|порівняй|اشرح|عرف|عرّف|ترجم|قارن|لخص|הסבר|תסביר|תסבירי|תרגם|תתרגם|השווה|εξήγησε|μετάφρασε|περίγραψε|giải thích|dịch|so sánh|định nghĩa|解释|解釋|说明|說明|介绍|介紹|翻译|翻譯|比较|比較|总结|總結|อธิบาย|แปล|เปรียบเทียบ)|説明して|教えて|訳して|比較して|比べて|要約して|设明|설명해|알려|번역해|비교해|요약해|समझा|बताओ|बताइए|अनुवाद/iu

/** Polite questions that ask the listener to do something. */
const POLITE =
  /(?<!\p{L})(?:você pode|voce pode|pode me|podes|poderia|consegue|wil je|kun je|zou je|możesz|mógłbyś|mogłabyś|proszę|můžeš|můžete|kan du|kunne du|voisitko|poți|puteți|можешь|можете|могли бы|мог бы|можеш|هل يمكنك|ممكن|אתה יכול|את יכולה|תוכל|תוכלי|μπορείς|μπορείτε|bạn có thể|bisakah|tolong)(?!\p{L})|\p{L}{2}(?:ır|ir|ur|ür|ar|er) m[ıiuü]s[ıiuü]n|(?:て|で)(?:くれ|もらえ|いただけ|くださ|ほし)|(?:줄래|주실래|줄 수|주시겠|주세요)|帮我|幫我|给我(?!们)|請幫|麻烦|麻煩|ช่วย|सकते (?:हो|हैं)|सकती (?:हो|हैं)/iu

/** Articles and the like of languages that share function words with German, and that are no word of it. */
const OTHER_WORDS = new Set('de het een la le les el los las il det og ikke inte'.split(' '))

/** Letters that neither English nor German has. */
const FOREIGN_LETTER = /(?![a-zäöüß])\p{L}/u
/** Shortest sentence, in words, that has function words in English and German. */
const SENTENCE_WORDS_MIN = 3

/** Whether a text asks something, by a question mark of any script or by a question word of another language than English and German. */
export function isAskingInAnyLanguage(text: string): boolean {
  const plain = plainOf(text)
  return QUESTION_MARK.test(plain) || (hasQuestionWord(plain) && knownShare(plain) <= 1 / 3)
}

/**
 * Whether a text is in another language than English and German, and asks for nothing to be told: a request to do something, as far as
 * anybody can tell who does not know the language, or a statement. Tells by letters that English and German do not have; without any, by
 * a whole sentence without one of their function words.
 */
export function isUnknownRequest(text: string): boolean {
  const plain = plainOf(text)
  if (!isForeign(plain) || TELLING.test(plain)) return false
  return POLITE.test(plain) || !(QUESTION_MARK.test(plain) || hasQuestionWord(plain))
}

/** Whether a lower-case word asks in another language than English and German. */
export function isOtherQuestionWord(word: string): boolean {
  return ANYWHERE.has(word) || (FIRST.has(word) && !isStopWord(word))
}

/** Whether a lower-case word is probably of another language than English and German, by its letters or as an article. */
export function isOfOtherLanguage(word: string): boolean {
  return OTHER_WORDS.has(word) || FOREIGN_LETTER.test(word)
}

function isForeign(plain: string): boolean {
  if (FOREIGN_LETTER.test(plain)) return knownShare(plain) < 1 / 2
  const words = plain.match(WORD) ?? []
  return words.length >= SENTENCE_WORDS_MIN && /[.!]$/.test(plain) && knownShare(plain) === 0
}

/** Share of English and German function words, 0..1. */
function knownShare(plain: string): number {
  const words = plain.match(WORD) ?? []
  return words.filter((word) => isStopWord(word)).length / Math.max(1, words.length)
}

function hasQuestionWord(plain: string): boolean {
  if (UNSPACED_ASKING.test(plain) || PHRASES.test(plain)) return true
  const words = plain.match(WORD) ?? []
  return words.some((word, at) => ANYWHERE.has(word) || (at < 2 && FIRST.has(word)))
}

function plainOf(text: string): string {
  return foldCase(text.slice(0, READ_CHARACTERS)).trim()
}

const WORD = /\p{L}[\p{L}\p{M}]*/gu
const ANYWHERE = new Set(foldCase(ASKING_ANYWHERE).trim().split(/\s+/u))
const FIRST = new Set(foldCase(ASKING_FIRST).trim().split(/\s+/u))

/** The pattern for folded texts: in Thai and elsewhere, folding takes letters apart. */
function foldedPattern({ source }: RegExp): RegExp {
  return new RegExp(foldCase(source), 'u')
}
