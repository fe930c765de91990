/** Contribution of each factor of retrieval, on the sets where it should matter: as shipped, and with its constant neutralised. */
import { readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { DATA_FILES } from '../drift/genres.js'
import type { LocomoSample } from '../retrieval/locomo.js'
import { meanOf, table, withInterval } from '../statistics.js'
import { type Answers, answersOf, type SetName, type SetTexts } from './answers.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Inside the project, because packages are resolved from there. */
const OUTPUT = join(ROOT, '.tap', 'factors')

interface Factor {
  /** Name of a constant in the file. */
  readonly name: string
  readonly file: string
  /** Value that disables the factor. */
  readonly off: number
  /** Sets on which it should matter, and sets on which it should do no harm. */
  readonly sets: readonly SetName[]
}

const FACTORS: readonly Factor[] = [
  {
    name: 'IMPORTANCE_SHARE',
    file: 'src/retrieval/rerank.ts',
    off: 0,
    sets: ['marked, asked vaguely', 'plain beside it, asked by its words', 'LoCoMo']
  },
  {
    name: 'VARIANT_SHARE',
    file: 'src/domain/words/word-forms.ts',
    off: 0,
    sets: ['part of a compound or derived word', 'other half of an exchange, asked in wrong spelling', 'LoCoMo', 'LoCoMo, stand-in']
  },
  {
    name: 'NEIGHBOUR_SHARE',
    file: 'src/retrieval/retrieve.ts',
    off: 0,
    sets: ['other half of an exchange, asked in wrong spelling', 'other half of an exchange, stand-in', 'LoCoMo', 'LoCoMo, stand-in']
  }
]

export async function measureFactors(data: string): Promise<string> {
  const texts = textsOf(JSON.parse(readFileSync(`${data}/${DATA_FILES.locomo}`, 'utf8')) as LocomoSample[])
  const shipped = answersOf(texts)
  const rows: string[][] = []
  for (const factor of FACTORS) {
    const without = (await loadWithout(factor)).answersOf(texts)
    rows.push(...factor.sets.map((set) => rowOf(factor, set, { shipped, without })))
  }
  return [
    '### Factors of retrieval',
    'Share of questions answered, and what the factor adds to it; LoCoMo: recall@10. Intervals by bootstrap over questions.',
    table(['factor', 'set', 'questions', 'with', 'without', 'gain'], rows)
  ].join('\n\n')
}

/** The sets of this folder, and the conversations. */
export function textsOf(samples: readonly LocomoSample[]): SetTexts {
  return { marked: linesOf('marked'), compounds: linesOf('compounds'), exchanges: linesOf('exchanges'), samples }
}

function linesOf(name: string): string[][] {
  return readFileSync(new URL(`sets/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' | '))
}

function rowOf({ name }: Factor, set: SetName, { shipped, without }: { readonly shipped: Answers; readonly without: Answers }): string[] {
  const pairs = shipped[set].map((own, at) => [[own, without[set][at] ?? 0] as const])
  const gain = withInterval(pairs, (items) => meanOf(items.map(([own, other]) => own - other)))
  return [name, set, String(pairs.length), meanOf(shipped[set]).toFixed(3), meanOf(without[set]).toFixed(3), gain]
}

/** Builds the answers with another value for the factor's constant. */
async function loadWithout(factor: Factor): Promise<{ readonly answersOf: typeof answersOf }> {
  const outfile = join(OUTPUT, `${factor.name}-${process.pid}.mjs`)
  await mkdir(OUTPUT, { recursive: true })
  try {
    await build({
      entryPoints: [join(ROOT, 'bench/quality/factors/answers.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      logLevel: 'error',
      plugins: [withoutConstant(factor)]
    })
    return (await import(pathToFileURL(outfile).href)) as { answersOf: typeof answersOf }
  } finally {
    await rm(outfile, { force: true })
  }
}

function withoutConstant({ name, file, off }: Factor): Plugin {
  const declared = new RegExp(`^(export )?const ${name} = [\\d.]+$`, 'm')
  let isReplaced = false
  return {
    name: 'without-constant',
    setup(builder) {
      builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (relative(ROOT, path) !== file) return null
        const source = readFileSync(path, 'utf8')
        isReplaced = declared.test(source)
        return { loader: 'ts', contents: source.replace(declared, `$1const ${name} = ${off}`) }
      })
      builder.onEnd(() => {
        if (!isReplaced) throw new Error(`${file} has no constant ${name}`)
      })
    }
  }
}
