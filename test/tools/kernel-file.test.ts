import { readFileSync } from 'node:fs'
import t from 'tap'
import { kernelFile, KERNELS, kernelUrl } from '../../src/tools/kernel-file.js'

t.test('each kernel is what its source says; `npm run kernel` writes it', async (t) => {
  for (const kernel of KERNELS) t.equal(readFileSync(kernelUrl(kernel.written), 'utf8'), await kernelFile(kernel), kernel.written)
})
