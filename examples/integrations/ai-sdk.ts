/** Vercel AI SDK: a middleware that gives any model a memory. */
import type { LanguageModelMiddleware } from 'ai'
import type { EngramSession } from '../../src/client/package-entry.js'

type Transform = NonNullable<LanguageModelMiddleware['transformParams']>
type Prompt = Parameters<Transform>[0]['params']['prompt']

/** Puts what the session remembers before the prompt, and lets it learn the answer. */
export function engramMemory(session: EngramSession): LanguageModelMiddleware {
  return {
    specificationVersion: 'v3',
    async transformParams({ params }) {
      const message = lastQuestion(params.prompt)
      if (message === null) return params
      const { context } = await session.run({ message })
      return { ...params, prompt: [{ role: 'system', content: context }, ...params.prompt] }
    },
    async wrapGenerate({ doGenerate }) {
      const result = await doGenerate()
      await learn(
        session,
        result.content.map((part) => (part.type === 'text' ? part.text : ''))
      )
      return result
    },
    async wrapStream({ doStream }) {
      const { stream, ...rest } = await doStream()
      const texts: string[] = []
      const listening = new TransformStream<Part, Part>({
        transform(part, controller) {
          if (part.type === 'text-delta') texts.push(part.delta)
          controller.enqueue(part)
        },
        flush: () => learn(session, texts)
      })
      return { ...rest, stream: stream.pipeThrough(listening) }
    }
  }
}

type Streamed = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>
type Part = Streamed['stream'] extends ReadableStream<infer One> ? One : never

/** The text of the user's last message, if that is what the model is to answer. */
function lastQuestion(prompt: Prompt): string | null {
  const last = prompt.at(-1)
  if (last?.role !== 'user') return null
  const text = last.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return text === '' ? null : text
}

async function learn(session: EngramSession, texts: readonly string[]): Promise<void> {
  const response = texts.join('')
  if (response !== '') await session.store({ response })
}
