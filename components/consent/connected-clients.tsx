'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectedClient } from '@/server/oauth/shape'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Credits } from '../ui/amount'
import { Button } from '../ui/button'
import { TimeAgo } from '../ui/time-ago'

function Connected({ of, onRevoked }: { of: ConnectedClient; onRevoked: () => void }) {
  const revoke = useMutation(useTRPC().keys.revoke.mutationOptions({ onSuccess: onRevoked }))
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="break-words font-medium">
            <bdi>{of.name}</bdi>
          </p>
          <p className="text-caption text-muted">
            Allowed <TimeAgo at={of.createdAt} />,{' '}
            {of.lastUsedAt ? (
              <>
                last used <TimeAgo at={of.lastUsedAt} />
              </>
            ) : (
              'never used'
            )}
            , <Credits value={of.spent} unit /> spent
          </p>
        </div>
        <Button
          size="small"
          kind="danger"
          busy={revoke.isPending}
          aria-label={`Revoke ${of.name}`}
          onClick={() => revoke.mutate({ id: of.id })}
        >
          Revoke
        </Button>
      </div>
      <ActionError error={revoke.error} kept="The access was not revoked." unsure="Try again." />
    </li>
  )
}

/** What applications were allowed before, and the end of it. */
export function ConnectedClients({ clients }: { clients: readonly ConnectedClient[] }) {
  const [revoked, setRevoked] = useState<readonly number[]>([])
  const shown = clients.filter(({ id }) => !revoked.includes(id))
  if (shown.length === 0) return revoked.length > 0 ? <p role="status">Revoked.</p> : null
  return (
    <ul className="divide-y rounded border bg-raised" aria-label="Connected applications">
      {shown.map((client) => (
        <Connected key={client.id} of={client} onRevoked={() => setRevoked((ids) => [...ids, client.id])} />
      ))}
    </ul>
  )
}
