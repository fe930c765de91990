/** `npm run build`: what ships. */
import { fileURLToPath } from 'node:url'
import { buildAll } from './build-all.js'

await buildAll(fileURLToPath(new URL('../../', import.meta.url)))
