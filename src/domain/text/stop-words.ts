/**
 * Function words of English and German: the usual short lists without months and names. Single letters other than `a` and `i` are content:
 * plan B is not plan C.
 */
const ENGLISH = `
a about above after again against all also am an and any are as at be because been before being below between both but by can could did
do does doing done down during each else ever few for from further get gets getting got had has have having he her here hers herself him
himself his how i if in into is it its itself just let lets like me more most much my myself no nor not now of off oh ok okay on once
one only or other our ours ourselves out over own please really same shall she should so some such than that the their theirs them
themselves then there these they this those though through to too under until up upon us very was we well were what when where whether
which while who whom whose why will with would yeah yes yet you your yours yourself yourselves
`
const GERMAN = `
aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist bitte da damit dann das dass
daß dein deine deinem deinen deiner dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine
einem einen einer eines er es etwas euch euer eure für gegen habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre
ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kannst kein keine keinem keinen keiner können könnte man
manche mein meine meinem meinen meiner mich mir mit muss musst müssen nach nein nicht nichts noch nun nur ob oder ohne schon sehr sein
seine seinem seinen seiner sich sie sind so soll sollte sondern sonst über um und uns unser unsere unter viel vom von vor war waren
warst was weg weil welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wirst wo wollen würde würden zu
zum zur zwar zwischen
`
const NEGATIONS = new Set('no not nor never none without nicht kein keine keinen keinem keiner nie ohne'.split(' '))

const ENGLISH_SET = new Set(ENGLISH.trim().split(/\s+/))
const GERMAN_SET = new Set(GERMAN.trim().split(/\s+/))

export function isEnglishStopWord(word: string): boolean {
  return ENGLISH_SET.has(word)
}

export function isGermanStopWord(word: string): boolean {
  return GERMAN_SET.has(word)
}

/** One map instead of two sets, because it is looked up for every word of every text. */
const EVIDENCE = new Map<string, number>()
for (const word of ENGLISH_SET) EVIDENCE.set(word, -1)
for (const word of GERMAN_SET) EVIDENCE.set(word, (EVIDENCE.get(word) ?? 0) + 1)

/** Language of a lower-case stop word: 1 for German, -1 for English, 0 if both have it; undefined for other words. */
export function stopWordEvidence(word: string): number | undefined {
  return EVIDENCE.get(word)
}

/** Whether a lower-case word is in either list. */
export function isStopWord(word: string): boolean {
  return EVIDENCE.has(word)
}

/** Whether a word negates a statement. Most are stop words too, yet two texts that differ in one do not mean the same. */
export function isNegation(word: string): boolean {
  return NEGATIONS.has(word)
}
