/** The official `openai` package: a memory by another base URL. */
import OpenAI from 'openai'

/** A client whose conversations the session remembers. The licence token is its key; the model's own key stays with the service. */
export function chatClient({ url, token, session }: { url: string; token: string; session: string }): OpenAI {
  return new OpenAI({ baseURL: `${url}/compat/v1`, apiKey: token, defaultHeaders: { 'X-Session-Id': session } })
}

/** One answer, whole. */
export async function ask(client: OpenAI, content: string): Promise<string> {
  const { choices } = await client.chat.completions.create({ model: 'any', messages: [{ role: 'user', content }] })
  return choices[0]?.message.content ?? ''
}

/** One answer, piece by piece as the model gives it. */
export async function* stream(client: OpenAI, content: string): AsyncGenerator<string, void, undefined> {
  const chunks = await client.chat.completions.create({ model: 'any', stream: true, messages: [{ role: 'user', content }] })
  for await (const { choices } of chunks) yield choices[0]?.delta.content ?? ''
}
