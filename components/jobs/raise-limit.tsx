'use client'

import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { RoleNote, useMay } from '../shell/role'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'

type Props = {
  jobId: string
  /** What the conversation may spend now, and what the rest of it would cost. */
  capCredits: number
  toFinish: number
  onRaised: () => void
}

/** Raises what a conversation may spend, so that it can go on. Nothing is charged by that. */
export function RaiseLimit({ jobId, capCredits, toFinish, onRaised }: Props) {
  const raise = useMutation(useTRPC().jobs.raiseLimit.mutationOptions({ onSuccess: onRaised }))
  const mayRaise = useMay('jobs.raiseLimit')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = new FormData(event.currentTarget).get('capCredits')
    raise.mutate({ jobId, capCredits: Number(text) })
  }
  if (!mayRaise) return <RoleNote to="jobs.raiseLimit" what="Raising the limit" />
  return (
    <form onSubmit={submit} className="grid gap-2">
      <Field
        label="New spend limit, credits"
        hint="Of the whole conversation, whatever its key says"
        className="max-w-60"
      >
        {(control) => (
          <Input
            {...control}
            name="capCredits"
            type="number"
            required
            min={capCredits + 1}
            max={1_000_000_000}
            defaultValue={capCredits + Math.max(100, toFinish)}
          />
        )}
      </Field>
      <ActionError error={raise.error} kept="The limit is as it was." unsure="Load the page again to see the limit." />
      <div>
        <Button type="submit" size="small" busy={raise.isPending}>
          Raise limit
        </Button>
      </div>
    </form>
  )
}
