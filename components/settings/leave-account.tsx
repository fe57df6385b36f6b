'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'

/** Leaves the account that is looked at. Its last owner reads what to do first. */
export function LeaveAccount({ name, isLastOwner }: { name: string; isLastOwner: boolean }) {
  const [isConfirming, setConfirming] = useState(false)
  const leave = useMutation(
    useTRPC().members.leave.mutationOptions({ onSuccess: () => window.location.assign('/overview') }),
  )
  return (
    <div className="grid justify-items-start gap-3">
      <p className="max-w-prose text-muted">
        Keys, runs, schedules, budgets and credits belong to the account and stay. The management keys that you made
        end, and so do your sessions in it. To come back, you need a new invitation.
      </p>
      {isLastOwner && <p>You are its last owner: make somebody else an owner first, or delete the account.</p>}
      {isConfirming ? (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-table [overflow-wrap:anywhere]">Leave {name}?</span>
          <Button size="small" kind="destroy" busy={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
            Leave account
          </Button>
          <Button size="small" onClick={() => setConfirming(false)}>
            Cancel
          </Button>
        </div>
      ) : (
        <Button kind="danger" disabled={isLastOwner} onClick={() => setConfirming(true)}>
          Leave account…
        </Button>
      )}
      <ActionError error={leave.error} kept="You are still a member." unsure="Reload the page to see." />
    </div>
  )
}

/** Deletes the account that is looked at, for all of its members, once its name was typed. */
export function DeleteForAll({ accountId, name, members }: { accountId: number; name: string; members: number }) {
  const [isConfirming, setConfirming] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useMutation(
    useTRPC().members.deleteAccount.mutationOptions({ onSuccess: () => window.location.assign('/overview') }),
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        remove.mutate({ accountId })
      }}
      className="grid max-w-prose justify-items-start gap-3"
    >
      <p className="text-muted">
        Keys are revoked, agent runs and schedules end, and jobs, datasets, files, sites, budgets and settings are
        deleted. Remaining credits are lost. {members > 1 && `All ${members} members lose the account. `}People keep
        their sign-in, and their other accounts. Receipts and the ledger are kept for the books, without names and
        addresses. This cannot be undone.
      </p>
      {isConfirming ? (
        <>
          <Field label={`Type ${name} to confirm`} className="w-full max-w-96">
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                autoFocus
                required
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </Field>
          <div className="flex flex-wrap gap-2">
            <Button
              type="submit"
              kind="destroy"
              busy={remove.isPending || remove.isSuccess}
              disabled={typed.trim() !== name.trim()}
            >
              Delete account for all
            </Button>
            <Button onClick={() => setConfirming(false)}>Cancel</Button>
          </div>
        </>
      ) : (
        <Button kind="danger" onClick={() => setConfirming(true)}>
          Delete account for all…
        </Button>
      )}
      <ActionError error={remove.error} kept="Nothing was deleted." unsure="Reload the page to see." />
    </form>
  )
}
