/** Checks whether the compiler refuses a change that no test notices: such a mistake would not get past `npm run check`. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { type Mutant, mutate } from './mutants.js'

export interface Compiler {
  refuses(mutant: Mutant, text: string): boolean
}

/** Creates a compiler for the project under `root`. Reads the sources on first use. */
export function createCompiler(root: string): Compiler {
  let service: ts.LanguageService | null = null
  /** The changed file, and the number of changes so far, which is its version. */
  let changed = { path: '', text: '', count: 0 }

  function start(): ts.LanguageService {
    const folder = resolve(root)
    const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as { config: object }
    const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
    const sources = fileNames.filter((path) => !/^(test|bench|examples)\//.test(path.slice(folder.length + 1)))
    const versions = new Map<string, string>()
    return ts.createLanguageService({
      getCompilationSettings: () => ({ ...options, noEmit: true }),
      getScriptFileNames: () => sources,
      getScriptVersion: (path) => {
        if (path === changed.path) versions.set(path, String(changed.count))
        // A restored file needs a new version, too.
        else if (versions.has(path)) versions.set(path, `${versions.get(path)?.split(' ')[0] ?? ''} restored`)
        return versions.get(path) ?? ''
      },
      getScriptSnapshot: (path) => {
        const text = path === changed.path ? changed.text : ts.sys.readFile(path)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => folder,
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      fileExists: (path) => ts.sys.fileExists(path),
      readFile: (path) => ts.sys.readFile(path),
      directoryExists: (path) => ts.sys.directoryExists(path),
      getDirectories: (path) => ts.sys.getDirectories(path)
    })
  }

  return {
    refuses(mutant, text) {
      service ??= start()
      const path = resolve(root, mutant.file)
      changed = { path, text: mutate(text, mutant), count: changed.count + 1 }
      return service.getSyntacticDiagnostics(path).length > 0 || service.getSemanticDiagnostics(path).length > 0
    }
  }
}
