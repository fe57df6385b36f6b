'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMay } from '../shell/role'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { CopyButton } from '../ui/copy'
import { CheckOption } from '../ui/field'
import type { JobTurn } from './shape'

type Props = { turn: JobTurn; onChanged: () => void }

/** Makes a link with which anybody reads a run, changes what it shows, or withdraws it. */
export function ShareRun({ turn: { runId, share }, onChanged }: Props) {
  const [isOpen, setOpen] = useState(false)
  const mayShare = useMay('jobs.share')
  const api = useTRPC()
  const done = { onSuccess: onChanged }
  const save = useMutation(api.jobs.share.mutationOptions(done))
  const withdraw = useMutation(api.jobs.unshare.mutationOptions(done))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    save.mutate({ runId, shows: (['goal', 'cost'] as const).filter((name) => given.has(name)) })
  }
  if (!mayShare) return null
  if (!isOpen)
    return (
      <div>
        <Button size="small" onClick={() => setOpen(true)}>
          {share ? 'Shared by a link' : 'Share result'}
        </Button>
      </div>
    )
  return (
    <section aria-label="Share the result" className="grid gap-3 rounded border bg-raised p-4">
      <p className="text-muted">
        Whoever has the link reads the result, what was made for everybody and the names of the steps, without signing
        in. What the steps read and your datasets stay yours, and search engines are asked not to list it.
      </p>
      <form onSubmit={submit} className="grid gap-3">
        <CheckOption
          type="checkbox"
          name="goal"
          defaultChecked={share?.shows.includes('goal')}
          label="Show what was asked"
        />
        <CheckOption
          type="checkbox"
          name="cost"
          defaultChecked={share?.shows.includes('cost')}
          label="Show what it cost"
        />
        <ActionError
          error={save.error ?? withdraw.error}
          kept="The link is as it was."
          unsure="Load the page again to see whether it is shared."
        />
        {share && (
          <p className="flex items-center gap-2 rounded bg-sunken px-3 py-2">
            <span className="num min-w-0 flex-1 [overflow-wrap:anywhere]">{share.url}</span>
            <CopyButton text={share.url} label="Copy link" />
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind="primary" size="small" busy={save.isPending}>
            {share ? 'Save' : 'Make link'}
          </Button>
          {share && (
            <Button size="small" kind="danger" busy={withdraw.isPending} onClick={() => withdraw.mutate({ runId })}>
              Withdraw link
            </Button>
          )}
          <Button size="small" kind="quiet" onClick={() => setOpen(false)}>
            Close
          </Button>
        </div>
      </form>
    </section>
  )
}
