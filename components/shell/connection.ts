'use client'

import { useSyncExternalStore } from 'react'

/** `away`: the server cannot be reached. `ended`: nobody is signed in any more. */
export type Connection = 'ok' | 'offline' | 'away' | 'ended'

let now: Connection = 'ok'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function setConnection(next: Connection): void {
  if (next === now) return
  now = next
  for (const listener of listeners) listener()
}

/** Whether the server answers this page, and as whom it knows it. */
export const useConnection = (): Connection =>
  useSyncExternalStore(
    subscribe,
    () => now,
    () => 'ok',
  )

/** What a response says about the connection; 502 to 504 come from a proxy before the server. */
export function connectionOf(status: number): Connection {
  if (status === 401) return 'ended'
  return status >= 502 && status <= 504 ? 'away' : 'ok'
}

const isAborted = (init: RequestInit | undefined) => init?.signal?.aborted === true

/** Fetches, and takes note of what that says about the connection. */
export async function watchedFetch(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init)
    setConnection(connectionOf(response.status))
    return response
  } catch (error) {
    if (!isAborted(init)) setConnection(navigator.onLine ? 'away' : 'offline')
    throw error
  }
}
