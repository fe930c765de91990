/**
 * Hooks of the module loader by which each test file of a shared process (`shared-process.ts`) gets a `t` of its own for `import t from
 * 'tap'`.
 */
import type { LoadHook, ResolveHook } from 'node:module'

const SCOPE = 'test-scope:'

export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  const isTest = context.parentURL?.endsWith('.test.js') ?? false
  return specifier === 'tap' && isTest ? { url: SCOPE + String(context.parentURL), shortCircuit: true } : nextResolve(specifier, context)
}

export const load: LoadHook = (url, context, nextLoad) => {
  if (!url.startsWith(SCOPE)) return nextLoad(url, context)
  const source = `export default globalThis.testScopes.get(${JSON.stringify(url.slice(SCOPE.length))})`
  return { format: 'module', source, shortCircuit: true }
}
