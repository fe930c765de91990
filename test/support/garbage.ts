/** Garbage collection when a test asks for it. */
import v8 from 'node:v8'
import vm from 'node:vm'

v8.setFlagsFromString('--expose-gc')

/** Default: a full collection. */
export const collect = vm.runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void
