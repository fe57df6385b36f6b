'use client'

import { createContext, useContext } from 'react'

const TimeZoneContext = createContext('UTC')

/** Passes the owner's time zone (IANA name) to every time below. */
export const TimeZoneProvider = TimeZoneContext.Provider

/** The owner's time zone, an IANA name; UTC outside of the dashboard. */
export const useTimeZone = (): string => useContext(TimeZoneContext)
