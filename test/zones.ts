/** The layers of the product: which folder may know which, and which files start it. */
export interface Zone {
  readonly name: string
  readonly files: RegExp
  /** Zones it may import from, besides itself. */
  readonly knows: readonly string[]
  /** Packages it may import, `node:` ones included. */
  readonly packages: RegExp
}

const NONE = /^$/
/** The first zone whose pattern fits is the file's. An adapter knows one outside system, so it knows no other adapter. */
export const ADAPTERS = ['storage', 'embedders', 'vectors', 'bus', 'auth', 'upstream', 'metrics', 'platform', 'telemetry']
const ZONES: readonly Zone[] = [
  { name: 'domain', files: /^src\/domain\//, knows: [], packages: NONE },
  { name: 'ports', files: /^src\/(ports|spans|record-archive|time-limit)\.ts$/, knows: ['domain'], packages: NONE },
  { name: 'machines', files: /^machines\//, knows: ['domain'], packages: /^(xstate|@xstate\/store)$/ },
  { name: 'retrieval', files: /^src\/retrieval\//, knows: ['domain', 'ports'], packages: NONE },
  {
    name: 'actors',
    files: /^actors\//,
    knows: ['domain', 'ports', 'machines', 'retrieval'],
    // TypeBox checks what comes back from clients as a whole session: only the actor knows that shape.
    packages: /^(xstate|@xstate\/store|@sinclair\/typebox.*)$/
  },
  // What is shown of a running service to those who watch it.
  { name: 'debug', files: /^src\/debug\//, knows: ['domain', 'ports'], packages: NONE },
  ...ADAPTERS.map((name) => ({ name, files: new RegExp(`^src/${name}/`), knows: ['domain', 'ports'], packages: /./ })),
  // The one door from HTTP to the actors.
  { name: 'http contract', files: /^src\/http\/contract\//, knows: ['domain', 'ports', 'actors', 'debug'], packages: /./ },
  // Tools for models, over nothing but the routes.
  {
    name: 'mcp',
    files: /^src\/mcp\//,
    knows: ['domain', 'http contract', 'client'],
    packages: /^(@modelcontextprotocol\/sdk\/.*|@sinclair\/typebox.*|node:stream)$/
  },
  { name: 'http', files: /^src\/http\//, knows: ['domain', 'ports', 'http contract', 'debug', 'mcp'], packages: /./ },
  {
    name: 'settings',
    files: /^src\/((config|combinations|variables)\.ts$|composition\/start-refusal\.ts$)/,
    knows: ['domain'],
    packages: /^@sinclair\/typebox/
  },
  // Chooses among the adapters of one port, for more than one program.
  {
    name: 'durable storage',
    files: /^src\/composition\/durable-storage\.ts$/,
    knows: ['domain', 'ports', 'settings', 'storage'],
    packages: NONE
  },
  // The only ones that know all parts.
  {
    name: 'composition',
    files: /^src\/(service\.ts$|composition\/)/,
    knows: [
      'domain',
      'ports',
      'machines',
      'actors',
      'retrieval',
      'http',
      'http contract',
      'settings',
      'debug',
      'durable storage',
      ...ADAPTERS
    ],
    packages: NONE
  },
  // Runs in a browser: it knows the service by its client, and charts by their shape.
  {
    name: 'debug page',
    files: /^src\/debug-page\//,
    knows: ['domain', 'machines', 'client'],
    packages: /^(preact(\/hooks)?|@xstate\/store|uplot)$/
  },
  // Runs wherever there is `fetch`: it knows the service by its routes.
  { name: 'client', files: /^src\/client\//, knows: [], packages: /^(openapi-fetch|eventsource-parser)$/ },
  {
    name: 'page build',
    files: /^src\/tools\/(build|build-all|client-build|debug-page-build|program-build|chart-layout|licences)\.ts$/,
    knows: ['machines', 'debug page', 'arguments'],
    packages: /^(node:.*|esbuild|elkjs.*)$/
  },
  // Reads the arguments of the repository's programs.
  { name: 'arguments', files: /^src\/tools\/arguments\.ts$/, knows: [], packages: /^node:/ },
  // Shows the actors of a service under development to the inspector.
  { name: 'inspection', files: /^src\/tools\/inspection\.ts$/, knows: ['actors'], packages: /^(node:(http|net)|@statelyai\/inspect)$/ },
  // Writes the machines down, for readers and visualizers.
  { name: 'machine files', files: /^src\/tools\/machine(s|-files)\.ts$/, knows: ['machines', 'arguments'], packages: /^node:/ },
  // Writes the types of the client down, from what the service says of itself.
  { name: 'client types', files: /^src\/tools\/client-types-file\.ts$/, knows: [], packages: /^(openapi-typescript|typescript)$/ },
  // Writes the scan kernel down, from its source.
  { name: 'kernel file', files: /^src\/tools\/kernel(-file)?\.ts$/, knows: ['arguments'], packages: /^(node:.*|wabt)$/ },
  // Makes a site of the documents: settings of VitePress, which reads them.
  { name: 'site', files: /^src\/tools\/site\//, knows: [], packages: /^(node:.*|beautiful-mermaid)$/ },
  // Entry points: they start the service or several with their servers, issue a licence or verify audit trails, and hold no logic of the
  // service.
  {
    name: 'entries',
    files: /^src\/(main\.ts$|cli\/|tools\/)/,
    knows: [
      ...['domain', 'ports', 'composition', 'settings', 'durable storage', 'auth', 'bus', 'embedders', 'platform'],
      ...['page build', 'inspection', 'demonstration', 'client types', 'mcp', 'client', 'arguments', 'site']
    ],
    packages: /^(node:.*|commander)$/
  },
  // What the demo replays, which the command line ships.
  {
    name: 'demonstration',
    files: /^examples\/(demo|conversation)\//,
    knows: ['composition', 'settings', 'auth', 'platform', 'entries'],
    packages: /^node:/
  }
]

export const ENTRIES = [
  'src/main.ts',
  'src/cli/engram.ts',
  'src/tools/machines.ts',
  'src/tools/kernel.ts',
  'src/tools/client-types.ts',
  'src/client/package-entry.ts',
  'src/tools/build.ts',
  'src/tools/sbom.ts',
  'src/tools/reference/reference.ts',
  // Loaded by docs/.vitepress/config.js.
  'src/tools/site/site.ts',
  'src/debug-page/main.ts'
]

export function zoneOf(path: string): Zone | undefined {
  return ZONES.find((zone) => zone.files.test(path))
}
