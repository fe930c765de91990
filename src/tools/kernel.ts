/** `npm run kernel`: writes the scan kernel as `src/vectors/scan-kernel.ts`. */
import { writeFileSync } from 'node:fs'
import { kernelFile } from './kernel-file.js'

writeFileSync(new URL('../vectors/scan-kernel.ts', import.meta.url), await kernelFile())
