/** The end of a path that a route's `*` stands for, as the caller wrote it. */
import { HttpProblem } from '../contract/problem.js'

/**
 * What stands at the `*` of `template` in a request's target, percent-decoded exactly once. The router's own parameter
 * lacks a slash at the end, which it ignores. Throws HttpProblem 400 for what is not percent-encoded UTF-8.
 */
export function decodeWildcard(target: string, template: string): string {
  // A request through a proxy may name the whole URL.
  const [path = ''] = target.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)
  const before = template.split('/').length - 1
  const raw = path.split('/').slice(before).join('/')
  try {
    return decodeURIComponent(raw)
  } catch {
    throw new HttpProblem(400, 'The path is not valid percent-encoded UTF-8')
  }
}
