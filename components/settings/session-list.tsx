'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { TimeAgo } from '../ui/time-ago'
import { browserName } from './browser-name'
import type { SignedInBrowser } from './shape'

/** The browsers that are signed in, this one marked. Each other one can be signed out. */
export function SessionList({ sessions }: { sessions: readonly SignedInBrowser[] }) {
  const router = useRouter()
  const end = useMutation(useTRPC().account.endSession.mutationOptions({ onSuccess: () => router.refresh() }))
  const shown = sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
  return (
    <div className="grid gap-3">
      <ActionError error={end.error} kept="Its session was not ended." unsure="Reload the page to see." />
      <ul className="divide-y rounded border bg-raised">
        {shown.map(({ id, isCurrent, userAgent, address, usedAt, createdAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2.5">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                <span title={userAgent ?? undefined}>{browserName(userAgent)}</span>
                {isCurrent && <Badge tone="good">This browser</Badge>}
              </p>
              <p className="text-caption text-muted">
                {address && <span className="num [overflow-wrap:anywhere]">{address} · </span>}
                {isCurrent ? (
                  'In use now'
                ) : (
                  <>
                    Last used <TimeAgo at={usedAt} />
                  </>
                )}{' '}
                · Signed in <TimeAgo at={createdAt} />
              </p>
            </div>
            {!isCurrent && (
              <Button
                size="small"
                kind="danger"
                busy={end.isPending && end.variables.id === id}
                aria-label={`Sign out ${browserName(userAgent)}${address ? ` at ${address}` : ''}`}
                onClick={() => end.mutate({ id })}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
