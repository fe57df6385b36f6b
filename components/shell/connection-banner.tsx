'use client'

import { useQueryClient } from '@tanstack/react-query'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { Button } from '../ui/button'
import { fetchPagesLater, setConnection, useConnection, useIsPageWaiting, watchedFetch } from './connection'

const RETRY_MS = 5_000

/** Asks the server something small for a signed-in owner: its answer is the state. */
const ask = () =>
  watchedFetch('/api/trpc/account.timeZone', { cache: 'no-store' }).then(
    () => {},
    () => {},
  )

/** While the browser is offline, the server is away or the session has ended: tries again. */
function useReconnect(): ReturnType<typeof useConnection> {
  const state = useConnection()
  const router = useRouter()
  const queries = useQueryClient()
  useEffect(() => {
    const offline = () => setConnection('offline')
    window.addEventListener('offline', offline)
    window.addEventListener('online', ask)
    if (!navigator.onLine) offline()
    const send = window.fetch
    window.fetch = fetchPagesLater(send)
    return () => {
      window.fetch = send
      window.removeEventListener('offline', offline)
      window.removeEventListener('online', ask)
    }
  }, [])
  useEffect(() => {
    if (state === 'ok') return
    const again = () => void (document.hidden || ask())
    const timer = setInterval(again, RETRY_MS)
    window.addEventListener('focus', again)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', again)
      // It is ok again, or otherwise wrong: then nothing of this matters.
      void queries.invalidateQueries()
      router.refresh()
    }
  }, [state, queries, router])
  return state
}

const linkClass = 'font-medium text-accent underline underline-offset-2'

function SignInLinks() {
  const path = usePathname()
  const query = useSearchParams().toString()
  const href = `/signin?next=${encodeURIComponent(query ? `${path}?${query}` : path)}`
  return (
    <span className="flex flex-wrap gap-x-4">
      <a href={href} target="_blank" rel="noreferrer" className={linkClass}>
        Sign in in a new tab
      </a>
      <a href={href} className={linkClass}>
        Sign in here
      </a>
    </span>
  )
}

/** A page that was chosen waits: says so, and lets one stay on this one. */
function WaitingPage() {
  const router = useRouter()
  return (
    <p className="flex basis-full flex-wrap items-center justify-between gap-x-4 gap-y-2">
      The page you chose opens then.
      <Button size="small" onClick={() => router.replace(location.pathname + location.search, { scroll: false })}>
        Stay on this page
      </Button>
    </p>
  )
}

/** What keeps the page from the server, and what to do. What was typed stays on the page. */
export function ConnectionBanner() {
  const state = useReconnect()
  const isPageWaiting = useIsPageWaiting()
  if (state === 'ok') return null
  const [text, action]: [string, ReactNode] = {
    offline: ['You are offline. The page continues when you are connected again; what you typed stays.', null] as [
      string,
      ReactNode,
    ],
    away: [
      'The server cannot be reached. Nothing you typed is lost.',
      <Button key="again" size="small" onClick={ask}>
        Try again
      </Button>,
    ] as [string, ReactNode],
    ended: ['Your session has ended. What you typed stays on this page.', <SignInLinks key="links" />] as [
      string,
      ReactNode,
    ],
  }[state]
  return (
    <div
      role="alert"
      className="fixed inset-x-3 bottom-16 z-40 mx-auto flex max-w-[640px] flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded border border-line-strong bg-raised px-4 py-3 shadow-[0_8px_24px_oklch(0_0_0/0.2)] md:bottom-4"
    >
      <p>{text}</p>
      {action}
      {isPageWaiting && <WaitingPage />}
    </div>
  )
}
