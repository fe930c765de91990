/** A service of the example's own on a free port, or one that runs already, and a client that is nothing but fetch. */
import { createOwnService } from '../demo/own-service.js'

/** JSON as it came. Examples look at the fields they know. */
export type Json = Readonly<Record<string, unknown>>

export interface Client {
  /** Throws with the detail of the answer when it is an error. */
  call(method: string, path: string, body?: object): Promise<Json>
  /** A GET that answers with an array. Throws likewise. */
  list(path: string): Promise<readonly Json[]>
}

/**
 * Runs an example over HTTP against the service whose base URL is the first argument, with the token in the variable TOKEN; without
 * one, against a service of its own, with a real token, which it stops afterwards.
 */
export async function withService(example: (client: Client) => Promise<void>): Promise<void> {
  const [url] = process.argv.slice(2)
  if (url === undefined) await withOwnService(example)
  else await example(createClient(url.replace(/\/$/, ''), process.env['TOKEN'] ?? ''))
}

async function withOwnService(example: (client: Client) => Promise<void>): Promise<void> {
  const { service, tokenFor } = await createOwnService()
  try {
    const url = await service.listen()
    await example(createClient(url, await tokenFor('example')))
  } finally {
    await service.close()
  }
}

function createClient(url: string, token: string): Client {
  async function answerTo<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' })
      },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify((answer as Json)['detail'])}`)
    return answer as Answer
  }
  return { call: answerTo<Json>, list: (path) => answerTo<readonly Json[]>('GET', path) }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
