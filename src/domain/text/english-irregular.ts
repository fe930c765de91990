/**
 * Irregular English forms that no suffix rule covers, as `base: form form`. Forms that are as often words of their own (`saw`, `left`) are
 * left out.
 */
const IRREGULAR_FORMS = `
be: am is are was were been being; become: became; begin: began begun; bite: bit bitten; blow: blew blown; break: broke broken;
bring: brought; build: built; buy: bought; catch: caught; child: children; choose: chose chosen; come: came; deal: dealt; dig: dug;
do: did done does; draw: drew drawn; dream: dreamt; drink: drank drunk; drive: drove driven; eat: ate eaten; fall: fell fallen;
feed: fed; feel: felt; fight: fought; fly: flew flown; foot: feet; forget: forgot forgotten; forgive: forgave forgiven;
freeze: froze frozen; get: got gotten; give: gave given; go: went gone goes; grow: grew grown; hang: hung; have: had has; hear: heard;
hide: hid hidden; hold: held; keep: kept; know: knew known; lead: led; learn: learnt; lend: lent; life: lives; lose: lost; make: made;
man: men; mean: meant; meet: met; mouse: mice; pay: paid; ride: rode ridden; ring: rang rung; rise: rose risen; run: ran; say: said;
see: seen; seek: sought; sell: sold; send: sent; shake: shook shaken; shoot: shot; show: shown; sing: sang sung; sink: sank sunk;
sit: sat; sleep: slept; speak: spoke spoken; spend: spent; stand: stood; steal: stole stolen; stick: stuck; strike: struck;
swear: swore sworn; swim: swam swum; take: took taken; teach: taught; tear: tore torn; tell: told; think: thought; throw: threw thrown;
tooth: teeth; understand: understood; wake: woke woken; wear: wore worn; wife: wives; win: won; woman: women; write: wrote written;
person: people; good: better best; bad: worse worst
`

const BASES = new Map<string, string>()
for (const entry of IRREGULAR_FORMS.split(/[;\n]/)) {
  const [base, forms] = entry.split(':')
  if (base === undefined || forms === undefined) continue
  for (const form of forms.trim().split(' ')) BASES.set(form, base.trim())
}

/** Base form of an irregular English form (`bought` gives `buy`); any other word unchanged. */
export function baseForm(word: string): string {
  return BASES.get(word) ?? word
}
