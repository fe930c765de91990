/** `npm run kernel`: writes the scan kernel as `src/vectors/scan-kernel.ts`. */
import { writeFileSync } from 'node:fs'
import { readArguments } from './arguments.js'
import { kernelFile } from './kernel-file.js'

readArguments('npm run kernel', {})
writeFileSync(new URL('../vectors/scan-kernel.ts', import.meta.url), await kernelFile())
