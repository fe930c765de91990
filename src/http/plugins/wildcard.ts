/** The rest of a path that a route's `*` matches, as the caller wrote it. */
import { BAD_PATH, HttpProblem } from '../contract/problem.js'

/**
 * Returns the part of a request's target that matches the `*` of `template`, percent-decoded exactly once. The router's own parameter lacks
 * a trailing slash, which the router ignores. Throws HttpProblem 400 for invalid percent-encoding or UTF-8.
 */
export function decodeWildcard(target: string, template: string): string {
  // A request through a proxy may contain the whole URL.
  const [path = ''] = target.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)
  const before = template.split('/').length - 1
  const raw = path.split('/').slice(before).join('/')
  try {
    return decodeURIComponent(raw)
  } catch {
    throw new HttpProblem(400, BAD_PATH)
  }
}
