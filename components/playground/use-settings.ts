import { useEffect, useState } from 'react'
import { firstSettings, keepSettings, parseKeptSettings, readKeptSettings } from './kept-settings'
import type { ChatSettings } from './turn'

type Given = {
  account: string
  /** The model to begin with, and whether the address asks for it. */
  first: string
  isAsked: boolean
  known: readonly string[]
}

/** The settings of the next request, as the last visit left them. */
export function useSettings({ account, first, isAsked, known }: Given) {
  const [settings, setSettings] = useState<ChatSettings>(firstSettings(first))
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the page has opened
  useEffect(() => {
    const kept = parseKeptSettings(readKeptSettings(account), first, known)
    setSettings(isAsked ? { ...kept, models: [first] } : kept)
  }, [account])
  const change = (next: ChatSettings) => {
    if (next.models[0] !== settings.models[0])
      window.history.replaceState(null, '', `?model=${encodeURIComponent(next.models[0] ?? first)}`)
    keepSettings(account, next)
    setSettings(next)
  }
  return { settings, change, setSettings }
}
