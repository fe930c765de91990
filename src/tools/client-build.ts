/** Builds the client as one module for any runtime. Its declarations come from the compiler. */
import { build, type Metafile } from 'esbuild'

const ENTRY = 'src/client/package-entry'

/** Syntax level of the browsers that have the required APIs, above all `AbortSignal.any`. */
const TARGET = 'es2022'

/** Writes `package-entry.js`, with all its dependencies, into `output`. */
export async function buildClient(root: string, output: string): Promise<Metafile> {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: { 'package-entry': `${ENTRY}.ts` },
    outdir: output,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: TARGET,
    logLevel: 'warning'
  })
  return metafile
}
