'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { KeyView } from '@/server/keys/shape'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button, ButtonLink } from '../ui/button'
import { Field, Select } from '../ui/field'
import { formatRelativeTime } from '../ui/format-time'
import { NewSecret, Secret } from './new-secret'
import type { KeyOptions } from './options'
import { secretHint } from './scopes'

const OVERLAPS = [
  { minutes: 0, label: 'Revoked now' },
  { minutes: 60, label: 'Valid for another hour' },
  { minutes: 1_440, label: 'Valid for another day' },
  { minutes: 10_080, label: 'Valid for another week' },
]

type Props = { of: KeyView; baseUrl: string; options: KeyOptions }

/** Creates a new secret for a key; the old one may stay valid for a while. */
function Rotate({ of, baseUrl, options, onDone }: Props & { onDone: () => void }) {
  const router = useRouter()
  const [overlapMinutes, setOverlap] = useState(60)
  const rotate = useMutation(useTRPC().keys.rotate.mutationOptions({ onSuccess: () => router.refresh() }))
  if (rotate.data) {
    return (
      <div className="grid gap-4">
        {of.management ? (
          <Secret title={`A new secret for ${of.name}`} secret={rotate.data.key} />
        ) : (
          <NewSecret shown={rotate.data} baseUrl={baseUrl} options={options} title={`A new secret for ${of.name}`} />
        )}
        <div>
          <Button kind="primary" size="small" onClick={onDone}>
            Done
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="grid gap-3">
      <p className="text-muted">
        The key gets a new secret and keeps its id, spend, budget and limits
        {of.rotation && `. The earlier secret ${secretHint(of, of.rotation.last4)}, still valid, is revoked now`}.
      </p>
      <Field label={`Current secret ${secretHint(of, of.last4)}`} className="max-w-72">
        {(control) => (
          <Select {...control} value={overlapMinutes} onChange={(e) => setOverlap(Number(e.target.value))}>
            {OVERLAPS.map(({ minutes, label }) => (
              <option key={minutes} value={minutes}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ActionError
        error={rotate.error}
        kept="No new secret was created."
        unsure="Reload the page. If the secret's last characters have changed, rotate again."
      />
      <div className="flex gap-2">
        <Button
          kind="primary"
          size="small"
          busy={rotate.isPending}
          onClick={() => rotate.mutate({ id: of.id, overlapMinutes })}
        >
          Create new secret
        </Button>
        <Button size="small" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

/** Revokes a key after a confirmation that says when it was last used. */
function Revoke({ of, onDone }: { of: KeyView; onDone: () => void }) {
  const router = useRouter()
  const revoke = useMutation(
    useTRPC().keys.revoke.mutationOptions({
      onSuccess: () => {
        router.refresh()
        onDone()
      },
    }),
  )
  return (
    <div className="grid gap-3 rounded border border-bad p-4">
      <p>
        Revoke <strong className="font-semibold">{of.name}</strong>?{' '}
        {of.lastUsedAt ? `It was last used ${formatRelativeTime(new Date(of.lastUsedAt))}.` : 'It was never used.'}{' '}
        Every call with it is refused from now on. This cannot be undone.
      </p>
      <ActionError
        error={revoke.error}
        kept="The key was not revoked."
        unsure="Try again. Revoking twice does no harm."
      />
      <div className="flex flex-wrap gap-2">
        <Button kind="destroy" size="small" busy={revoke.isPending} onClick={() => revoke.mutate({ id: of.id })}>
          Revoke key
        </Button>
        <Button size="small" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

type Action = 'rotate' | 'revoke'

/** Edit, rotate, revoke. The form of the latter two replaces the buttons. */
export function KeyActions({ of, baseUrl, options }: Props) {
  const [action, setAction] = useState<Action | null>(null)
  const close = () => setAction(null)
  if (action === 'rotate') return <Rotate of={of} baseUrl={baseUrl} options={options} onDone={close} />
  if (action === 'revoke') return <Revoke of={of} onDone={close} />
  return (
    <div className="flex flex-wrap gap-2">
      {of.state !== 'revoked' && !of.management && (
        <ButtonLink size="small" href={`/keys/${of.id}/edit`}>
          Edit key
        </ButtonLink>
      )}
      {of.state !== 'revoked' && of.state !== 'expired' && !of.client?.tokenExpiresAt && (
        <Button size="small" onClick={() => setAction('rotate')}>
          Rotate secret
        </Button>
      )}
      {!of.management && (
        <ButtonLink size="small" href={`/keys/new?from=${of.id}`}>
          New key like this
        </ButtonLink>
      )}
      {of.state !== 'revoked' && (
        <Button size="small" kind="danger" onClick={() => setAction('revoke')}>
          Revoke key
        </Button>
      )}
    </div>
  )
}
