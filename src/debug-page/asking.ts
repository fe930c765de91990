/** How the page asks the service: with the licence token in a header, and no longer than the page is open. */

/** One page of a listing. `next` is null at the end. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

/** The service refused, with the status and its own words. */
export class RefusedError extends Error {
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.name = 'RefusedError'
    this.status = status
  }
}

interface Asked {
  /** Default: `POST` with a body, else `GET`. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: object
  /** Statuses that are no refusal, beside those of success. */
  readonly accepted?: readonly number[]
}

/** What is refused throws RefusedError. */
export interface Ask {
  answer(path: string, asked?: Asked): Promise<Response>
  json<T>(path: string, asked?: Asked): Promise<T>
}

/** For one token. Everything ends with `signal`. */
export function createAsk({ token, signal }: { token: string; signal: AbortSignal }): Ask {
  async function answer(
    path: string,
    { body, method = body === undefined ? 'GET' : 'POST', accepted = [] }: Asked = {}
  ): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const response = await fetch(path, { method, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) })
    if (!response.ok && !accepted.includes(response.status)) throw await toRefusal(response)
    return response
  }
  return { answer, json: async <T>(path: string, asked?: Asked) => (await (await answer(path, asked)).json()) as T }
}

export function pageQuery(limit: number, after: string | null): URLSearchParams {
  return new URLSearchParams({ limit: String(limit), ...(after !== null && { after }) })
}

/** Null where the service says that there is no such thing. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof RefusedError && error.status === 404) return null
    throw error
  }
}

/** What went wrong, in a sentence to be shown. */
export function wordsOf(error: unknown): string {
  return error instanceof RefusedError ? error.message : 'The service does not answer.'
}

export async function toRefusal(response: Response): Promise<RefusedError> {
  const body: unknown = await response.json().catch(() => null)
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? detailOf(body.detail) : ''
  return new RefusedError(response.status, detail === '' ? `The service answered ${response.status}` : detail)
}

/** A sentence, or the first of the findings of a 422. */
function detailOf(detail: unknown): string {
  if (typeof detail === 'string') return detail
  const first: unknown = Array.isArray(detail) ? detail[0] : null
  return typeof first === 'object' && first !== null && 'msg' in first && typeof first.msg === 'string' ? first.msg : ''
}
