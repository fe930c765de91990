/** Builds the client as one module for any runtime; its declarations are the compiler's. */
import { build, type Metafile } from 'esbuild'

const ENTRY = 'src/client/package-entry'

/** What browsers have that have what it needs, `AbortSignal.any` above all. */
const TARGET = 'es2022'

/** Writes `package-entry.js` into `output`, with all that it needs. */
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
