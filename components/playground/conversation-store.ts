import { clear, createStore, del, get, set, values } from 'idb-keyval'
import type { Conversation } from './conversations'

/** Where conversations are kept: a database of the browser for each account. */
export type ConversationStore = {
  get: (id: string) => Promise<Conversation | null>
  list: () => Promise<Conversation[]>
  put: (conversation: Conversation) => Promise<void>
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
    get: (id) => quietly(async () => (await get<Conversation>(id, store)) ?? null, null),
    list: () => quietly(() => values<Conversation>(store), []),
    put: (conversation) => quietly(() => set(conversation.id, conversation, store), undefined),
    remove: (id) => quietly(() => del(id, store), undefined),
    clear: () => quietly(() => clear(store), undefined),
  }
}
