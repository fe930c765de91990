/** LangChain.js: a chat history that is kept in a session, and a retriever over its memories. */
import { BaseListChatMessageHistory } from '@langchain/core/chat_history'
import { Document } from '@langchain/core/documents'
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { BaseRetriever } from '@langchain/core/retrievers'
import { type EngramSession, isEngramError } from '../../src/client/package-entry.js'

/** What was said in the session, in its order. Messages of tools and systems are not kept. */
export class EngramChatMessageHistory extends BaseListChatMessageHistory {
  override lc_namespace = ['engram', 'chat_history']
  readonly #session: EngramSession

  constructor(session: EngramSession) {
    super()
    this.#session = session
  }

  override async getMessages(): Promise<BaseMessage[]> {
    const messages: BaseMessage[] = []
    try {
      for await (const { role, text } of this.#session.memories.all()) {
        messages.push(role === 'assistant' ? new AIMessage(text) : new HumanMessage(text))
      }
    } catch (error) {
      if (!isEngramError(error) || error.kind !== 'not_found') throw error
    }
    return messages
  }

  override async addMessage(message: BaseMessage): Promise<void> {
    if (message.text === '') return
    if (message.type === 'human') await this.#session.run({ message: message.text })
    else if (message.type === 'ai') await this.#session.store({ response: message.text })
  }

  override async clear(): Promise<void> {
    await this.#session.delete()
  }
}

/** The memories that matter for a question, best first. */
export class EngramRetriever extends BaseRetriever {
  override lc_namespace = ['engram', 'retrievers']
  readonly #session: EngramSession
  readonly #topK: number

  constructor({ session, topK = 5 }: { session: EngramSession; topK?: number }) {
    super()
    this.#session = session
    this.#topK = topK
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    const { results } = await this.#session.search({ query, top_k: this.#topK })
    return results.map(({ text, memory_id, ...metadata }) => new Document({ id: memory_id, pageContent: text, metadata }))
  }
}
