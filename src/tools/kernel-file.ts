/** Generates the scan kernel's source file: WebAssembly from `src/vectors/scan.wat`. */
import { readFileSync } from 'node:fs'
import createWabt from 'wabt'

const SOURCE = new URL('../vectors/scan.wat', import.meta.url)

/** Returns the text of `src/vectors/scan-kernel.ts`. Throws when the kernel's source is invalid. */
export async function kernelFile(): Promise<string> {
  const wabt = await createWabt()
  const kernel = wabt.parseWat('scan.wat', readFileSync(SOURCE, 'utf8'), { simd: true })
  const { buffer } = kernel.toBinary({})
  return [
    '/** Written by `npm run kernel` from `scan.wat`, in Base64. */',
    `export const SCAN_KERNEL = '${Buffer.from(buffer).toString('base64')}'`,
    ''
  ].join('\n')
}
