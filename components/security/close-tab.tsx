'use client'

import { useEffect } from 'react'
import { announceSignIn } from './signed-in-again'

/** Lets the tab that asked for a proof go on, and closes this one where the browser lets it. */
export function CloseTab() {
  useEffect(() => {
    announceSignIn()
    window.close()
  }, [])
  return <p>You are signed in again. Go back to the other tab; this one can be closed.</p>
}
