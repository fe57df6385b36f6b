import { useSyncExternalStore } from 'react'

const subscribe = () => () => undefined

/** The time zone of this browser; null on the server, which does not know it. */
export const useBrowserTimeZone = (): string | null =>
  useSyncExternalStore(
    subscribe,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => null,
  )
