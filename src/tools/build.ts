/** `npm run build`: what ships. */
import { fileURLToPath } from 'node:url'
import { readArguments } from './arguments.js'
import { buildAll } from './build-all.js'

readArguments('npm run build', {})
await buildAll(fileURLToPath(new URL('../../', import.meta.url)))
