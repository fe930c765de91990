/** Contrast of the colours in the page's style sheet, as WCAG 2.2 requires it (1.4.3 and 1.4.11). */
import { readFileSync } from 'node:fs'
import t from 'tap'

const css = readFileSync(new URL('../../src/debug-page/page.css', import.meta.url), 'utf8')

type Colours = Readonly<Record<string, string>>

function coloursOf(selector: string): Colours {
  const [, block = ''] = css.split(`${selector} {`)
  const [own = ''] = block.split('}')
  return Object.fromEntries([...own.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, name = '', colour = '']) => [name, colour] as const))
}

const LIGHT = coloursOf(':root')
const DARK = coloursOf(":root[data-theme='dark']")

/** Relative luminance, as WCAG defines it. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one = '', other = ''): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const GROUNDS = ['card', 'ground']
/** Text colours, each with its background. */
const WORDS = [
  ...GROUNDS.flatMap((ground) => ['ink', 'faint', 'accent', 'bad'].map((word) => [word, ground])),
  ...['ink', 'faint', 'accent'].map((word) => [word, 'accent-soft']),
  ['accent-ink', 'accent'],
  ['card', 'bad']
]
/** Colours of edges, lamps and chart lines, each with its background. */
const MARKS = GROUNDS.flatMap((ground) => ['edge', 'faint', 'good', 'warn', 'bad', 'accent'].map((mark) => [mark, ground]))

for (const [name, colours] of Object.entries({ light: LIGHT, dark: DARK })) {
  t.test(`colours, ${name}: words have 4.5, and marks without which something is not seen have 3`, async (t) => {
    for (const [limit, pairs] of [
      [4.5, WORDS],
      [3, MARKS]
    ] as const)
      for (const [mark = '', ground = ''] of pairs) {
        const contrast = contrastOf(colours[mark], colours[ground])
        t.ok(contrast >= limit, `${mark} on ${ground}: ${contrast.toFixed(2)}`)
      }
  })
}

t.test('colours: the dark ones are the same whether the system or the reader chose them', async (t) => {
  t.ok(Object.keys(DARK).length > 10)
  t.strictSame(coloursOf(":root:not([data-theme='light'])"), DARK)
})
