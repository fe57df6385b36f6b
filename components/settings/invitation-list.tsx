'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { TimeAgo } from '../ui/time-ago'
import type { InvitationView } from './shape'

/** Links that nobody has opened yet. Each can be withdrawn. */
export function InvitationList({ invitations }: { invitations: readonly InvitationView[] }) {
  const router = useRouter()
  const withdraw = useMutation(useTRPC().members.withdraw.mutationOptions({ onSuccess: () => router.refresh() }))
  return (
    <div className="grid gap-3">
      <ActionError error={withdraw.error} kept="The link still works." unsure="Reload the page to see." />
      <ul aria-label="Open invitations" className="divide-y rounded border bg-raised">
        {invitations.map(({ id, role, email, madeBy, expiresAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2.5">
            <p className="min-w-0">
              <span className="font-medium [overflow-wrap:anywhere]">{email ?? 'Link'}</span>{' '}
              <span className="text-caption text-muted">
                as {role} · by {madeBy} · expires <TimeAgo at={expiresAt} />
              </span>
            </p>
            <Button
              size="small"
              kind="danger"
              busy={withdraw.isPending && withdraw.variables.id === id}
              onClick={() => withdraw.mutate({ id })}
            >
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
