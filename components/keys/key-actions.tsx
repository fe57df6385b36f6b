'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import type { KeyView } from '@/server/keys/shape'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input, Select } from '../ui/field'
import { formatRelativeTime } from '../ui/time-ago'
import { NewSecret } from './new-secret'

/** Another name for a key, in place. */
function Rename({ of, onDone }: { of: KeyView; onDone: () => void }) {
  const router = useRouter()
  const rename = useMutation(
    useTRPC().keys.rename.mutationOptions({
      onSuccess: () => {
        router.refresh()
        onDone()
      },
    }),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    rename.mutate({ id: of.id, name })
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <Field label="New name" error={rename.error?.message}>
        {(told) => <Input {...told} name="name" defaultValue={of.name} maxLength={80} required autoFocus />}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" kind="primary" size="small" busy={rename.isPending}>
          Rename
        </Button>
        <Button size="small" onClick={onDone}>
          Keep “{of.name}”
        </Button>
      </div>
    </form>
  )
}

const OVERLAPS = [
  { minutes: 0, label: 'stops at once' },
  { minutes: 60, label: 'works for another hour' },
  { minutes: 1_440, label: 'works for another day' },
  { minutes: 10_080, label: 'works for another week' },
]

/** A new secret for a key; the old one may go on for a while. */
function Rotate({ of, baseUrl, onDone }: { of: KeyView; baseUrl: string; onDone: () => void }) {
  const router = useRouter()
  const [overlapMinutes, setOverlap] = useState(60)
  const rotate = useMutation(useTRPC().keys.rotate.mutationOptions({ onSuccess: () => router.refresh() }))
  if (rotate.data) {
    return (
      <div className="grid gap-4">
        <NewSecret shown={rotate.data} baseUrl={baseUrl} title={`A new secret for ${of.name}`} />
        <div>
          <Button kind="primary" size="small" onClick={onDone}>
            I have stored it
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="grid gap-3">
      <p className="text-muted">
        The key gets a second secret. Its id, spend, budget and limits stay as they are
        {of.rotation && `; the old secret tg_…${of.rotation.last4}, still valid, stops now`}.
      </p>
      <Field label={`The present secret tg_…${of.last4}`} className="max-w-72">
        {(told) => (
          <Select {...told} value={overlapMinutes} onChange={(e) => setOverlap(Number(e.target.value))}>
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
        kept="No new secret was made."
        unsure="Reload the page: if the secret's last characters have changed, make another."
      />
      <div className="flex gap-2">
        <Button
          kind="primary"
          size="small"
          busy={rotate.isPending}
          onClick={() => rotate.mutate({ id: of.id, overlapMinutes })}
        >
          Make a new secret
        </Button>
        <Button size="small" onClick={onDone}>
          Leave it
        </Button>
      </div>
    </div>
  )
}

/** Ends a key for good, asked once, here, with what is known of its use. */
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
        Whatever uses it is refused from now on, everywhere at once. This cannot be undone.
      </p>
      <ActionError
        error={revoke.error}
        kept="The key was not revoked."
        unsure="Try again: revoking twice does no harm."
      />
      <div className="flex flex-wrap gap-2">
        <Button kind="destroy" size="small" busy={revoke.isPending} onClick={() => revoke.mutate({ id: of.id })}>
          Revoke {of.name.length > 24 ? 'this key' : of.name}
        </Button>
        <Button size="small" onClick={onDone}>
          Keep it
        </Button>
      </div>
    </div>
  )
}

type Act = 'rename' | 'rotate' | 'revoke'

/** What may still be done to a key: rename, rotate, revoke; each unfolds where its button stands. */
export function KeyActions({ of, baseUrl }: { of: KeyView; baseUrl: string }) {
  const [act, setAct] = useState<Act | null>(null)
  const done = () => setAct(null)
  if (act === 'rename') return <Rename of={of} onDone={done} />
  if (act === 'rotate') return <Rotate of={of} baseUrl={baseUrl} onDone={done} />
  if (act === 'revoke') return <Revoke of={of} onDone={done} />
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" onClick={() => setAct('rename')}>
        Rename
      </Button>
      {of.state !== 'revoked' && of.state !== 'expired' && (
        <Button size="small" onClick={() => setAct('rotate')}>
          Rotate secret
        </Button>
      )}
      {of.state !== 'revoked' && (
        <Button size="small" kind="danger" onClick={() => setAct('revoke')}>
          Revoke
        </Button>
      )}
    </div>
  )
}
