import { readFileSync } from 'node:fs'
import t from 'tap'
import { kernelFile } from '../../src/tools/kernel-file.js'

t.test('the scan kernel is what its source says; `npm run kernel` writes it', async (t) => {
  t.equal(readFileSync(new URL('../../src/vectors/scan-kernel.ts', import.meta.url), 'utf8'), await kernelFile())
})
