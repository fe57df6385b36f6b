'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'

const LOST =
  'Keys are revoked, agent runs and schedules end, every browser is signed out, and jobs, datasets, files, sites and settings are deleted. Remaining credits are lost. Receipts and the ledger are kept for the books, without your name and address.'

/** Deletes the account, once its e-mail address and password were typed. */
export function DeleteAccount({ email, hasPassword }: { email: string; hasPassword: boolean }) {
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
  if (!isConfirming) {
    return (
      <div className="grid justify-items-start gap-3">
        <p className="max-w-prose text-muted">{LOST} This cannot be undone.</p>
        <Button kind="danger" onClick={() => setConfirming(true)}>
          Delete account…
        </Button>
      </div>
    )
  }
  return (
    <form onSubmit={submit} className="grid max-w-96 gap-3">
      <p className="text-muted">{LOST} This cannot be undone.</p>
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
        unsure="Reload the page: if you have to sign in, the account was deleted."
      />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          kind="destroy"
          busy={remove.isPending || remove.isSuccess}
          disabled={typed.trim().toLowerCase() !== email}
        >
          Delete account
        </Button>
        <Button onClick={() => setConfirming(false)}>Cancel</Button>
      </div>
    </form>
  )
}
