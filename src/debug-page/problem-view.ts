import { type ComponentChildren, h } from 'preact'
import { NO_ANSWER } from './asking.js'

/** Why something could not be read. That nobody answers is announced once, by the connection, and not by each part of the page. */
export function problemView(problem: string | null): ComponentChildren {
  if (problem === null) return null
  return h('p', { class: 'refusal', role: problem === NO_ANSWER ? undefined : 'alert' }, problem)
}
