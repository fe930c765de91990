/** Forms of German verbs: endings, vowels and prefixes express person, tense and mood. */

interface VerbForm {
  /** Common to all forms of the verb; umlauts are kept. */
  readonly lemma: string
  /** A form that may be a participle or a present counts as present. */
  readonly time: 'present' | 'past' | 'participle'
}

/** Infinitive: irregular present forms / past / participle. Several forms are separated by spaces. */
const IRREGULAR = `
backen: bäckt / buk / gebacken; befehlen: befiehlt / befahl / befohlen; beginnen: / begann / begonnen; beißen: / biss / gebissen;
bieten: / bot boten / geboten; binden: / band banden / gebunden; bitten: / bat baten / gebeten; bleiben: / blieb / geblieben;
braten: brät / briet / gebraten; brechen: bricht brichst / brach / gebrochen; brennen: / brannte / gebrannt;
bringen: / brachte brachten / gebracht; denken: / dachte dachten / gedacht; essen: isst / aß / gegessen;
fahren: fährt fährst / fuhr / gefahren; fallen: fällt fällst / fiel / gefallen; fangen: fängt / fing / gefangen;
finden: / fand fanden / gefunden; fliegen: / flog / geflogen; fliehen: / floh / geflohen; fließen: / floss / geflossen;
fressen: frisst / fraß / gefressen; frieren: / fror / gefroren; geben: gibt gibst gib / gab / gegeben; geschehen: geschieht / geschah / geschehen; gehen: / ging / gegangen;
gelten: gilt / galt / gegolten; gewinnen: / gewann / gewonnen; gießen: / goss / gegossen; greifen: / griff / gegriffen;
halten: hält hältst / hielt hielten / gehalten; hängen: / hing / gehangen; heben: / hob / gehoben; heißen: / hieß / geheißen;
helfen: hilft hilfst hilf / half / geholfen; kennen: / kannte kannten / gekannt; kommen: / kam / gekommen;
laden: lädt lädst / lud / geladen; lassen: lässt / ließ / gelassen; laufen: läuft läufst / lief / gelaufen;
leiden: / litt / gelitten; leihen: / lieh / geliehen; lesen: liest lies / las / gelesen; liegen: / lag / gelegen;
lügen: / log / gelogen; messen: misst / maß / gemessen; nehmen: nimmt nimmst nimm / nahm / genommen;
nennen: / nannte nannten / genannt; raten: rät / riet rieten / geraten; reißen: / riss / gerissen; reiten: / ritt / geritten;
rennen: / rannte / gerannt; rufen: / rief / gerufen; saufen: säuft / soff / gesoffen; schaffen: / schuf / geschaffen;
scheinen: / schien / geschienen; schieben: / schob / geschoben; schießen: / schoss / geschossen;
schlafen: schläft / schlief / geschlafen; schlagen: schlägt / schlug / geschlagen; schließen: / schloss / geschlossen;
schneiden: / schnitt / geschnitten; schreiben: / schrieb / geschrieben; schreien: / schrie / geschrien;
schwimmen: / schwamm / geschwommen; sehen: sieht siehst / sah / gesehen; senden: / sandte / gesandt; singen: / sang / gesungen;
sinken: / sank / gesunken; sitzen: / saß / gesessen; sprechen: spricht sprichst / sprach / gesprochen;
springen: / sprang / gesprungen; stehen: / stand standen / gestanden; stehlen: stiehlt / stahl / gestohlen;
steigen: / stieg / gestiegen; sterben: stirbt / starb / gestorben; stoßen: stößt / stieß / gestoßen; streichen: / strich / gestrichen;
tragen: trägt trägst / trug / getragen; treffen: trifft triffst / traf / getroffen; treiben: / trieb / getrieben;
treten: tritt / trat traten / getreten; trinken: / trank / getrunken; tun: tut tust / tat taten / getan;
verbieten: / verbot verboten / verboten; vergessen: vergisst / vergaß / vergessen; verlieren: / verlor / verloren;
wachsen: wächst / wuchs / gewachsen; waschen: wäscht / wusch / gewaschen; werfen: wirft / warf / geworfen; wiegen: / wog / gewogen;
wissen: weiß weißt / wusste wussten / gewusst; ziehen: / zog / gezogen; zwingen: / zwang / gezwungen
`

/** Stems of weak verbs in -t, whose infinitive and present look like the past of other verbs: "warten", "wohnten". */
const STEMS_IN_T = (
  'arbeit wart leit kost start miet test bet acht tracht antwort deut haupt rat streit reit leist rüst tast rast fast dicht richt fürcht ' +
  'flücht stalt walt schalt spalt falt hust last töt lüft haft heft stift statt rett wett schütt knet mut zücht sicht nicht zicht licht ' +
  'schlacht pacht beicht post sort trat filt bürst röst spurt chart brat biet halt bitt gelt tret find'
).split(' ')

/** Adjectives in -t, which are no verb forms. */
const ADJECTIVES = new Set(
  (
    'alt kalt hart laut breit weit gut leicht schlecht bunt rot tot fett nett echt fest satt dicht glatt matt zart wert recht feucht ' +
    'sanft schlicht nackt intakt exakt direkt perfekt konkret abstrakt korrekt defekt bekannt beliebt berühmt kaputt privat seicht ' +
    'spät erst letzt nächst best meist zuletzt zuerst jetzt selbst insgesamt oft nicht überhaupt sofort'
  ).split(' ')
)

const PARTICLES =
  /^(?:zurück|zusammen|herunter|hinunter|hinauf|heraus|hinaus|herein|hinein|herauf|hinzu|teil|statt|fest|frei|hoch|weiter|wieder|nieder|ab|an(?!t)|auf|aus|bei|durch|ein|her|hin|los|mit|nach|um|vor|weg|zu)(?=\p{L}{3})/u
/** Prefixes whose verbs form the participle without `ge`. */
const INSEPARABLE = /^(?:be|ver|er|ent|emp|zer|miss|über|unter|wider|hinter)(?=\p{L}{3})/u
/** Participles as attributes: "Gekochte", "eingekauften". */
const ATTRIBUTE =
  /^(?:zurück|zusammen|hoch|fest|frei|ab|an|auf|aus|ein|los|mit|nach|um|vor|weg|zu)?ge(?!hör|nüg|statt|nehmig|währ|wöhn)\p{L}{2,}te[nmrs]?$/u
/** Verbs in which `ge` is part of the stem. */
const OWN_GE =
  /^(?:gehör|gefäll|gefall|gewinn|geling|genüg|genehmig|gestatt|gewähr|gescheh|geschieh|gewöhn|genieß|gelt|geb(?=e?t$|e)|geh(?=e?t$))/u

const FORMS = new Map<string, VerbForm>()
for (const entry of IRREGULAR.split(';')) {
  const [infinitive = '', forms = ''] = entry.trim().split(':')
  const lemma = infinitive.replace(/e?n$/, '')
  const [present = '', past = '', participle = ''] = forms.split('/').map((part) => part.trim())
  for (const form of present.split(' ')) FORMS.set(form, { lemma, time: 'present' })
  for (const form of past.split(' ')) {
    FORMS.set(form, { lemma, time: 'past' })
    FORMS.set(form.endsWith('e') ? `${form}n` : `${form}en`, { lemma, time: 'past' })
  }
  FORMS.set(participle, { lemma, time: 'participle' })
}
FORMS.delete('')

/** Verb form of a lower-case word; null if it is known to be no verb. Words that are no verbs get their stem as lemma. */
export function verbForm(word: string): VerbForm | null {
  if (word.length < 3 || ATTRIBUTE.test(word) || ADJECTIVES.has(word) || ADJECTIVES.has(word.replace(/e[nmrs]?$/, ''))) return null
  const own = coreForm(word)
  if (FORMS.has(word)) return own
  const particle = PARTICLES.exec(word)?.[0]
  if (particle === undefined) return own
  const rest = word.slice(particle.length)
  const core = coreForm(/^zu\p{L}{2,}n$/u.test(rest) ? rest.slice(2) : rest)
  return { lemma: particle + core.lemma, time: core.time }
}

function coreForm(word: string): VerbForm {
  const known = FORMS.get(word)
  if (known !== undefined) return known
  const prefix = INSEPARABLE.exec(word)?.[0]
  if (prefix !== undefined) {
    const rest = word.slice(prefix.length)
    const form = FORMS.get(`ge${rest}`) ?? FORMS.get(rest)
    if (form !== undefined) return { lemma: prefix + form.lemma, time: form.time }
  }
  if (/^ge\p{L}{2,}t$/u.test(word) && !OWN_GE.test(word)) return { lemma: presentLemma(word.slice(2)), time: 'participle' }
  const past = /^(\p{L}{2,}?)(te|ten)$/u.exec(word)
  if (past?.[1] !== undefined && !STEMS_IN_T.some((stem) => `${past[1] ?? ''}t`.endsWith(stem)))
    return { lemma: past[1].replace(/(?<=[tdnm])e$/, ''), time: 'past' }
  return { lemma: presentLemma(word), time: 'present' }
}

function presentLemma(word: string): string {
  return word
    .replace(/(?:(?<=[tdnm])est|(?<=[tdnm])et|(?<=\p{L}[bcdfghklmnprtz])st|(?<=\p{L}{2})t|(?<=\p{L}{2})en|(?<=[lr])n|(?<=\p{L}{2})e)$/u, '')
    .replace(/(?<=[^aeiouäöü])e([lr])$/u, '$1')
}
