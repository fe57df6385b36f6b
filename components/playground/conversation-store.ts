import { clear, createStore, del, get, set, values } from 'idb-keyval'
import type { ChatConversation } from './conversations'

/** Where conversations are kept: a database of the browser for each account. */
export type ConversationStore = {
  get: (id: string) => Promise<ChatConversation | null>
  list: () => Promise<ChatConversation[]>
  put: (conversation: ChatConversation) => Promise<void>
  remove: (id: string) => Promise<void>
  clear: () => Promise<void>
}

/**
 * The conversations of the account of this name. Where the browser keeps nothing, such as in a
 * private window, there are none, and the page works without.
 */
export function openConversations(account: string): ConversationStore {
  const store = createStore(`playground ${account}`, 'conversations')
  const quietly = async <T>(use: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await use()
    } catch {
      return otherwise
    }
  }
  return {
    get: (id) => quietly(async () => (await get<ChatConversation>(id, store)) ?? null, null),
    list: () => quietly(() => values<ChatConversation>(store), []),
    put: (conversation) => quietly(() => set(conversation.id, conversation, store), undefined),
    remove: (id) => quietly(() => del(id, store), undefined),
    clear: () => quietly(() => clear(store), undefined),
  }
}
