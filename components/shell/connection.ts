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
  announce()
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

/** Pages that wait for the server. */
let waiting = 0

/** Whether a page that was chosen waits for the server. */
export const useIsPageWaiting = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => waiting > 0,
    () => false,
  )

const announce = () => {
  for (const listener of listeners) listener()
}

/** Resolves when the server answers this page again. */
function serverAnswers(): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = subscribe(() => {
      if (now === 'offline' || now === 'away') return
      unsubscribe()
      resolve()
    })
  })
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

/**
 * A fetch in which the page that the router asks for waits while the server cannot be reached. The
 * router answers a lost connection by leaving the page that is shown, with all that was typed.
 */
export function fetchPagesLater(send: typeof fetch): typeof fetch {
  return async (url, init) => {
    const headers = new Headers(init?.headers)
    if (!headers.has('rsc') || headers.has('next-router-prefetch')) return send(url, init)
    for (let isAgain = false; ; isAgain = true) {
      const response = await send(url, init).catch((error: unknown) => {
        if (isAborted(init)) throw error
        return null
      })
      const connection = response ? connectionOf(response.status) : navigator.onLine ? 'away' : 'offline'
      // What the server answers again and again is about this page.
      if (response && (isAgain || connection !== 'away')) return response
      waiting++
      announce()
      setConnection(connection)
      await serverAnswers()
      waiting--
      announce()
    }
  }
}
