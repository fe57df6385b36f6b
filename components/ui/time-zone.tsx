'use client'

import { createContext, useContext, useSyncExternalStore } from 'react'

const TimeZoneContext = createContext('UTC')

/** Passes the owner's time zone (IANA name) to every time below. */
export const TimeZoneProvider = TimeZoneContext.Provider

/** The owner's time zone, an IANA name; UTC outside of the dashboard. */
export const useTimeZone = (): string => useContext(TimeZoneContext)

const subscribe = () => () => undefined

/** The time zone of this browser; null on the server, which does not know it. */
export const useBrowserTimeZone = (): string | null =>
  useSyncExternalStore(
    subscribe,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => null,
  )
