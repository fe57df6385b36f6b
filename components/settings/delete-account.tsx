'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'
import type { OwnDeletionView } from './shape'

const LOST =
  'Keys are revoked, agent runs and schedules end, every browser is signed out, and jobs, datasets, files, sites and settings are deleted. Remaining credits are lost. Receipts and the ledger are kept for the books, without your name and address.'

const OF_SIGN_IN = 'Every browser is signed out, and your name, address and second factors are deleted.'

/** What is lost, in sentences: of the account that somebody opened, and of those of others. */
function consequences({ own, leaves }: OwnDeletionView): string[] {
  const members = own?.others === 1 ? 'Its other member loses it.' : `Its ${own?.others} other members lose it.`
  return [
    ...(own && !own.stays && own.others + leaves.length > 0 ? [`Your account ${own.name} is deleted with you.`] : []),
    own && !own.stays ? LOST : OF_SIGN_IN,
    ...(own && !own.stays && own.others > 0
      ? [`${members} To leave it to them, make one of them an owner first.`]
      : []),
    ...(own?.stays
      ? [`The account ${own.name} stays with its other owners: keys, runs and credits belong to it.`]
      : []),
    ...(leaves.length > 0
      ? [`You leave ${leaves.join(', ')}: what you made there stays, and your management keys there end.`]
      : []),
    'This cannot be undone.',
  ]
}

type Props = { email: string; hasPassword: boolean; deletion: OwnDeletionView }

/** Deletes whoever is signed in, once their e-mail address and password were typed. */
export function DeleteAccount({ email, hasPassword, deletion }: Props) {
  const lost = consequences(deletion).join(' ')
  const { own, blockedBy } = deletion
  const what = own && !own.stays ? 'account' : 'sign-in'
  const [isConfirming, setConfirming] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useMutation(
    useTRPC().account.delete.mutationOptions({
      onSuccess: () => window.location.assign('/signin?notice=deleted'),
    }),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    remove.mutate({ email: typed, password: String(new FormData(event.currentTarget).get('password') ?? '') })
  }
  if (blockedBy.length > 0) {
    return (
      <div className="grid justify-items-start gap-3">
        <Notice tone="warn">
          You are the last owner of {blockedBy.join(', ')}. First make somebody else an owner there, or delete it, under
          Members.
        </Notice>
        <Button kind="danger" disabled>
          Delete {what}…
        </Button>
      </div>
    )
  }
  if (!isConfirming) {
    return (
      <div className="grid justify-items-start gap-3">
        <p className="max-w-prose text-muted">{lost}</p>
        <Button kind="danger" onClick={() => setConfirming(true)}>
          Delete {what}…
        </Button>
      </div>
    )
  }
  return (
    <form onSubmit={submit} className="grid max-w-96 gap-3">
      <p className="text-muted">{lost}</p>
      <Field label={`Type ${email} to confirm`}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="off"
            autoFocus
            required
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      {hasPassword && (
        <Field label="Password of this account">
          {(control) => (
            <Input
              {...control}
              name="password"
              type="password"
              autoComplete="current-password"
              maxLength={200}
              required
            />
          )}
        </Field>
      )}
      <ActionError
        error={remove.error}
        kept="Nothing was deleted."
        unsure="Reload the page: if you have to sign in, it was deleted."
      />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          kind="destroy"
          busy={remove.isPending || remove.isSuccess}
          disabled={typed.trim().toLowerCase() !== email}
        >
          Delete {what}
        </Button>
        <Button onClick={() => setConfirming(false)}>Cancel</Button>
      </div>
    </form>
  )
}
