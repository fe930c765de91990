import { type ComponentChildren, h } from 'preact'
import { NO_ANSWER } from './asking.js'

/** Shows why a read failed. An unreachable service is announced once, by the connection's status, not by each part of the page. */
export function problemView(problem: string | null): ComponentChildren {
  if (problem === null) return null
  return h('p', { class: 'refusal', role: problem === NO_ANSWER ? undefined : 'alert' }, problem)
}
