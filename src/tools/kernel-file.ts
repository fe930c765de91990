/** Generates the source files of the kernels: WebAssembly from their texts. */
import { readFileSync } from 'node:fs'
import createWabt from 'wabt'

/** Texts of kernels and the files written from them, relative to `src`, with the names of the constants. */
export const KERNELS = [
  { source: 'vectors/scan.wat', written: 'vectors/scan-kernel.ts', name: 'SCAN_KERNEL' },
  { source: 'vectors/near.wat', written: 'vectors/near-kernel.ts', name: 'NEAR_KERNEL' },
  { source: 'domain/words/score.wat', written: 'domain/words/score-kernel.ts', name: 'SCORE_KERNEL' }
] as const

/** Where a file of a kernel lies. */
export function kernelUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url)
}

/** Returns the text of a kernel's written file. Throws when its source is invalid. */
export async function kernelFile({ source, name }: Pick<(typeof KERNELS)[number], 'source' | 'name'>): Promise<string> {
  const wabt = await createWabt()
  const file = source.slice(source.lastIndexOf('/') + 1)
  const kernel = wabt.parseWat(file, readFileSync(kernelUrl(source), 'utf8'), { simd: true, bulk_memory: true, threads: true })
  const { buffer } = kernel.toBinary({})
  return [
    `/** Written by \`npm run kernel\` from \`${file}\`, in Base64. */`,
    `export const ${name} = '${Buffer.from(buffer).toString('base64')}'`,
    ''
  ].join('\n')
}
