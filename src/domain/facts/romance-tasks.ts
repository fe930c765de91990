/** Classifies French, Spanish and Italian requests, as far as the verb and attached pronouns tell. */
import type { Request } from './request.js'

const TELLING =
  /^(?:dis|dites|expliqu|montr|donn|décri|tradui|résum|défini|compar|calcul|convert|list|énumèr|nomm|di(?:me|game)?|explíca|explica|muéstra|muestra|enséña|dame|describ|traduc|resum|defin|compar|calcul|conviert|enumer|nombra|dimmi|spiega|mostra|dammi|descriv|traduci|riassum|definisci|confronta|calcola|convert|elenca)/iu
const DOING =
  /^(?:ajoute|mets|envoie|réserve|rappelle|écris|éteins|allume|crée|supprime|efface|appelle|achète|démarre|redémarre|relance|arrête|ouvre|ferme|joue|réponds|enregistre|déplace|annule|génère|invente|chante|fais|va|passe|recommence|réessaie|essaie|prépare|imprime|télécharge|installe|raconte|ajoutez|mettez|envoyez|réservez|écrivez|éteignez|allumez|créez|supprimez|appelez|achetez|ouvrez|fermez|annulez|faites|añade|pon|envía|manda|reserva|escribe|apaga|enciende|crea|borra|elimina|llama|compra|inicia|reinicia|abre|cierra|responde|anota|guarda|cambia|mueve|cancela|genera|inventa|canta|haz|sigue|continúa|repite|imprime|descarga|instala|actualiza|aggiungi|metti|invia|prenota|scrivi|spegni|accendi|cancella|chiama|ordina|avvia|riavvia|ferma|apri|chiudi|suona|rispondi|annota|salva|sposta|annulla|fai|vai|continua|ripeti|stampa|scarica|installa|aggiorna|racconta|ricorda)(?!\p{L})/iu
/** Verbs with an attached pronoun: "envoie-le", "recuérdame", "ricordami". */
const ON_PRONOUN =
  /^(?:\p{L}+-(?:moi|toi|lui|nous|leur|les?|la)(?!\p{L})|[a-zñ]{1,20}[áéíóú][a-zñ]{1,6}(?:me|nos|l[oae]s?)(?!\p{L})|(?:manda|invia|metti|prenota|scrivi|racconta|ricorda|spegni|accendi|chiama|apri|chiudi|cancella|salva)(?:mi|ci|l[oaie]|gli)(?!\p{L}))/iu
const POLITE =
  /^¿?(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|puedes|puede|podrías|podría|puoi|può|potresti|potrebbe) (?:(?:me|m'|nous|s'il te plaît|por favor|per favore) ?)?(.*)$/iu
const ANEW = /(?<!\p{L})(?:une? autre|encore une?|otr[oa]s?|un'?\s?altr[oa]|ancora un[oa]?)(?!\p{L})/iu

/** Kind of request; null if the sentence is no request in these languages. It must begin with its first significant word. */
export function romanceRequest(sentence: string): Request {
  const [, asked] = POLITE.exec(sentence) ?? []
  if (asked !== undefined) return TELLING.test(asked) && !ANEW.test(asked) ? 'answer' : 'deed'
  if (sentence.includes('?')) return null
  const isTelling = TELLING.test(sentence)
  if (isTelling || DOING.test(sentence) || ON_PRONOUN.test(sentence)) return isTelling && !ANEW.test(sentence) ? 'answer' : 'deed'
  return /^(?:une? autre|encore une?|otr[oa]|un'?\s?altr[oa]|ancora un[oa]?)(?!\p{L})/iu.test(sentence) ? 'deed' : null
}
