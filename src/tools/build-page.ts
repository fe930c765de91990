/** Part of `npm run build`: the debugger's page, beside the compiled service. */
import { fileURLToPath } from 'node:url'
import { buildDebugPage } from './debug-page-build.js'

await buildDebugPage(fileURLToPath(new URL('../../dist/debug-page/', import.meta.url)))
