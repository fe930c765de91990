/** Builds the debugger's page: a script, a second one for the chart of days, a style sheet and a document. */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { machineCharts } from '../../machines/charts.js'
import { layOutCharts } from './chart-layout.js'

const SOURCES = fileURLToPath(new URL('../debug-page', import.meta.url))

/** Browsers from 2023 on support everything that the page uses. */
const BROWSERS = ['chrome114', 'firefox115', 'safari16.4']

/** Writes `index.html`, `page.js`, `day-plot.js` and `page.css` into the folder, which is created if missing. */
export async function buildDebugPage(folder: string): Promise<Metafile> {
  mkdirSync(folder, { recursive: true })
  const charts = JSON.stringify(await layOutCharts(machineCharts()))
  const { metafile } = await build({
    metafile: true,
    entryPoints: { page: join(SOURCES, 'main.ts'), 'day-plot': join(SOURCES, 'day-plot.ts') },
    outdir: folder,
    bundle: true,
    // Loaded when a session is opened.
    external: ['./day-plot.js'],
    minify: true,
    format: 'esm',
    target: BROWSERS,
    legalComments: 'inline',
    define: { CHART_DRAWINGS: charts },
    logLevel: 'warning'
  })
  const styles = { entryPoints: [join(SOURCES, 'page.css')], outdir: folder, bundle: true, minify: true, target: BROWSERS }
  await build({ ...styles, logLevel: 'warning' })
  copyFileSync(join(SOURCES, 'index.html'), join(folder, 'index.html'))
  return metafile
}
