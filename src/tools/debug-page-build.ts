/** Builds the debugger's page: one script with everything in it, one style sheet, one document. */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { shownCharts } from '../../machines/shown-charts.js'
import { layOutCharts } from './chart-layout.js'

const SOURCES = fileURLToPath(new URL('../debug-page', import.meta.url))

/** Browsers of 2023 and later have all that the page uses. */
const BROWSERS = ['chrome114', 'firefox115', 'safari16.4']

/** Writes `index.html`, `page.js` and `page.css` into the folder, which is made when it is missing. */
export async function buildDebugPage(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: [join(SOURCES, 'main.ts')],
    outfile: join(folder, 'page.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: BROWSERS,
    legalComments: 'inline',
    define: { CHART_DRAWINGS: JSON.stringify(await layOutCharts(shownCharts())) },
    logLevel: 'warning'
  })
  for (const name of ['index.html', 'page.css']) copyFileSync(join(SOURCES, name), join(folder, name))
}
