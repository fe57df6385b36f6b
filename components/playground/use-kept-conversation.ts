import { useCallback, useEffect, useRef, useState } from 'react'
import { restoredTurns } from './conversations'
import { parseKeptSettings } from './kept-settings'
import { type ChatSettings, type ChatTurn, isTurnAnswering } from './turn'
import { useConversations } from './use-conversations'

type Shown = {
  account: string
  settings: ChatSettings
  turns: readonly ChatTurn[]
  known: readonly string[]
  /** Shows another conversation; without settings the present ones stay. */
  show: (turns: readonly ChatTurn[], settings?: ChatSettings) => void
}

const newId = () => crypto.randomUUID()

/** Keeps the shown conversation in this browser, and opens others. The address names it. */
export function useKeptConversation({ account, settings, turns, known, show }: Shown) {
  const [id, setId] = useState('')
  const { list, open, keep, rename, remove, removeAll } = useConversations(account)
  const isBusy = turns.some(isTurnAnswering)
  const latest = useRef({ settings, turns })
  /** What was opened as it is: opening alone changes nothing. */
  const opened = useRef<readonly ChatTurn[] | null>(null)
  latest.current = { settings, turns }

  const openOne = useCallback(
    async (next: string) => {
      const found = await open(next)
      if (!found) return
      setId(next)
      window.history.replaceState(null, '', `?conversation=${next}`)
      const [first = ''] = known
      opened.current = restoredTurns(found.turns)
      show(opened.current, parseKeptSettings(JSON.stringify(found.settings), first, known))
    },
    [open, known, show],
  )
  const begin = useCallback(() => {
    setId(newId())
    show([])
    if (window.location.search.startsWith('?conversation='))
      window.history.replaceState(null, '', window.location.pathname)
  }, [show])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page has opened
  useEffect(() => {
    setId(newId())
    const asked = new URLSearchParams(window.location.search).get('conversation')
    if (asked) void openOne(asked)
  }, [account])

  // When a message was sent, and when its answers have ended.
  const count = turns.length
  useEffect(() => {
    if (count === 0 || id === '' || latest.current.turns === opened.current) return
    window.history.replaceState(null, '', `?conversation=${id}`)
    void keep(id, latest.current.settings, latest.current.turns)
  }, [count, id, keep])
  useEffect(() => {
    if (isBusy || turns.length === 0 || id === '' || turns === opened.current) return
    void keep(id, latest.current.settings, turns)
  }, [isBusy, turns, id, keep])

  return {
    id,
    list,
    open: openOne,
    begin,
    rename,
    remove: async (gone: string) => {
      if (gone === id) begin()
      await remove(gone)
    },
    removeAll: async () => {
      begin()
      await removeAll()
    },
  }
}
