/**
 * Texts that only answer, greet or thank: "merci beaucoup", "спасибо", "はい". In any language the words for that are a closed class; these
 * are the languages that people often write in.
 */
import { isStopWord } from './stop-words.js'

const WORDS = `
yep nope yup never sure fine right exactly correct good great nice cool perfect thanks thank thx next more again maybe later mind done agreed
indeed absolutely definitely hm hmm mhm aha haha hehe hihi lol rofl xd wow ah oh see sorry lot bye goodbye hello hi hey welcome back problem
worries amazing awesome brilliant excellent wonderful lovely true understood congrats cheers sounds looks well
genau klar gut super toll danke dank weiter richtig passt stimmt gern gerne vielleicht später nochmal fertig egal sicher prima schade tja jawohl
hallo tschüss servus moin verstanden vielen lieben herzlichen wunderbar perfekt ach schön
merci beaucoup oui non bien sûr accord d'accord parfait bonjour bonsoir salut très voilà pardon désolé désolée génial exact volontiers plaisir
s'il te vous plaît bonne nuit revoir entendu
gracias muchas muchos muchísimas vale sí si claro que perfecto bueno buenos buenas días tardes noches hola adiós muy exacto jaja jajaja
por favor supuesto entendido luego hasta mañana lo siento
grazie mille tante prego va bene sì certo perfetto ciao buongiorno buonasera buonanotte molto esatto ottimo arrivederci scusa capito
obrigado obrigada muito sim não tudo bem olá bom dia boa noite tarde perfeito valeu
bedankt dankjewel je wel u nee goed graag hoi dag ziens leuk precies
tak tack så mycket nej takk fint hej kiitos kyllä ei hyvä moi tusen
dziękuję dzięki nie dobrze proszę cześć bardzo děkuji díky ano dobře prosím ahoj ďakujem áno hvala ne dobro köszönöm igen nem jó
mulțumesc bine teşekkürler teşekkür ederim evet hayır tamam merhaba sağ ol
да нет спасибо большое хорошо пожалуйста ладно привет понятно отлично конечно ок окей супер дякую так ні добре будь ласка
はい いいえ ありがとう ありがとうございます ございます 了解 了解です そう そうです わかりました すみません おはよう こんにちは なるほど
谢谢 謝謝 好的 好 是 是的 不 不是 对 對 嗯 你好 知道了 明白 明白了 可以 行 再见 哈哈 没问题 多谢
네 예 아니요 감사합니다 고마워 고마워요 고맙습니다 좋아요 알겠습니다 안녕하세요 안녕 ㅋㅋ ㅋㅋㅋ
شكرا نعم لا حسنا مرحبا جيد תודה כן לא धन्यवाद शुक्रिया हाँ हां नहीं ठीक है नमस्ते अच्छा ευχαριστώ ναι όχι καλά cảm ơn vâng terima kasih iya
`
const REACTING = new Set(WORDS.trim().split(/\s+/u))

/** UTF-16 units; longer texts have a meaning of their own. */
const REACTION_LENGTH_MAX = 120

/** Whether a text consists only of such words, of punctuation or of emoji. */
export function isReaction(text: string): boolean {
  if (text.length > REACTION_LENGTH_MAX) return false
  const words = text.toLowerCase().replaceAll('’', "'").match(WORD) ?? []
  if (words.length === 0) return /\S/u.test(text)
  return !/[?？؟]/u.test(text) && words.every((word) => REACTING.has(word) || isStopWord(word))
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:'[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu
