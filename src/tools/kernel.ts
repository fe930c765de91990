/** `npm run kernel`: writes the kernels, `scan-kernel.ts` and `near-kernel.ts` of `src/vectors` and `src/domain/words/score-kernel.ts`. */
import { writeFileSync } from 'node:fs'
import { readArguments } from './arguments.js'
import { kernelFile, KERNELS, kernelUrl } from './kernel-file.js'

readArguments('npm run kernel', {})
for (const kernel of KERNELS) writeFileSync(kernelUrl(kernel.written), await kernelFile(kernel))
