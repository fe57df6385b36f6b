'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Skeleton } from '../ui/skeleton'
import { NoticeRows } from './notice-list'

const SHOWN = 8
/** How many are counted; beyond it is written "99+". */
const MAX_COUNT = 99

/** The newest notices, and all of them marked as read once they are shown. */
function Newest({ onRead }: { onRead: () => void }) {
  const trpc = useTRPC()
  const { data, error } = useQuery(trpc.notices.list.queryOptions({ limit: SHOWN }, { staleTime: 0, gcTime: 0 }))
  const { mutate: markRead } = useMutation(trpc.notices.markRead.mutationOptions({ onSuccess: onRead }))
  const newest = data?.rows[0]
  const until = newest?.isUnread ? newest.createdAt : undefined
  useEffect(() => {
    if (until) markRead({ until })
  }, [until, markRead])
  if (error) return <ActionError error={error} kept="They are on their page too." unsure="Open their page." />
  if (!data)
    return (
      <div role="status" aria-label="Loading" className="grid gap-3 p-3">
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
      </div>
    )
  if (data.rows.length === 0)
    return (
      <p className="px-3 py-4 text-muted">
        Nothing yet. Limits that are nearly used, runs that wait for you and keys that expire appear here.
      </p>
    )
  return <NoticeRows rows={data.rows} />
}

/** The bell: how much is unread, and what, when it is opened. */
export function NoticeBell({ first }: { first: number }) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const path = usePathname()
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { data: unread } = useQuery(
    trpc.notices.countUnread.queryOptions(undefined, { initialData: first, refetchInterval: 30_000, staleTime: 5_000 }),
  )
  const pathBefore = useRef(path)
  useEffect(() => {
    // A link that was followed closes it.
    if (pathBefore.current !== path) panel.current?.hidePopover?.()
    // Opened before the page had its code.
    else if (panel.current?.showPopover && panel.current.matches(':popover-open')) setOpen(true)
    pathBefore.current = path
  }, [path])
  const shown = unread > MAX_COUNT ? `${MAX_COUNT}+` : String(unread)
  return (
    <>
      <Button
        kind="quiet"
        size="icon"
        aria-label={unread > 0 ? `Notices, ${shown} unread` : 'Notices'}
        popoverTarget="notices"
        className="relative"
      >
        <Bell className="size-4.5" aria-hidden />
        {unread > 0 && (
          <span
            aria-hidden
            className="num absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-accent px-1 text-center text-caption leading-4 text-on-accent"
          >
            {shown}
          </span>
        )}
      </Button>
      <div
        ref={panel}
        id="notices"
        popover="auto"
        onToggle={(event) => setOpen(event.newState === 'open')}
        className="inset-auto top-(--bar) right-3 m-0 mt-1 max-h-[70dvh] w-[min(24rem,calc(100vw-1.5rem))] overflow-y-auto rounded border bg-raised text-table text-text shadow-[0_8px_24px_oklch(0_0_0/0.14)]"
      >
        <div className="flex items-center justify-between gap-3 border-b px-3 py-2">
          <h2 className="font-semibold">Notices</h2>
          <Link href="/settings/notices" prefetch={false} className="text-accent underline underline-offset-2">
            Settings
          </Link>
        </div>
        {isOpen && <Newest onRead={() => client.invalidateQueries(trpc.notices.countUnread.queryFilter())} />}
        <Link href="/notices" prefetch={false} className="block border-t px-3 py-2 text-accent hover:bg-sunken">
          All notices
        </Link>
      </div>
    </>
  )
}
