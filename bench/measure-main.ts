/** Runs one measure in its own process and sends the results to the parent. */
import { MEASURES } from './measures.js'

const [name = '', how] = process.argv.slice(2)
const measure = MEASURES[name]
if (measure === undefined) throw new Error(`There is no measure ${name}`)
const findings = await measure({ isShort: how === '--short' })
process.send?.(findings, () => process.disconnect())
