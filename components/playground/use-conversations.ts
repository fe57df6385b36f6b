import { useCallback, useEffect, useMemo, useState } from 'react'
import { openConversations } from './conversation-store'
import {
  type ChatConversation,
  type ConversationHead,
  changedConversation,
  listedConversations,
  renamedConversation,
} from './conversations'
import type { ChatSettings, ChatTurn } from './turn'

/** The conversations that this browser keeps for an account. */
export function useConversations(account: string) {
  const store = useMemo(() => openConversations(account), [account])
  const [list, setList] = useState<readonly ConversationHead[]>([])
  const refresh = useCallback(async () => setList(listedConversations(await store.list())), [store])
  useEffect(() => void refresh(), [refresh])
  return {
    list,
    open: useCallback((id: string): Promise<ChatConversation | null> => store.get(id), [store]),
    keep: useCallback(
      async (id: string, settings: ChatSettings, turns: readonly ChatTurn[]) => {
        await store.put(changedConversation(await store.get(id), { id, settings, turns, now: Date.now() }))
        await refresh()
      },
      [store, refresh],
    ),
    rename: async (id: string, title: string) => {
      const found = await store.get(id)
      if (found) await store.put(renamedConversation(found, title))
      await refresh()
    },
    remove: async (id: string) => {
      await store.remove(id)
      await refresh()
    },
    removeAll: async () => {
      await store.clear()
      await refresh()
    },
  }
}
