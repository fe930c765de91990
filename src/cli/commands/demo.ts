/** `engram demo`: the demonstration of the examples, in the colours of this terminal. */
import { runDemo } from '../../../examples/demo/demonstration.js'
import { isTerminalColoured } from '../console/output.js'

export function showDemo({ exit }: { readonly exit?: true }): Promise<void> {
  return runDemo({ exit: exit === true, isColoured: isTerminalColoured() })
}
